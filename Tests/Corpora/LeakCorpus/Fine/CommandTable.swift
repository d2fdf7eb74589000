import ReactiveKit

extension LeakCase {
  static let commandTable = fine(
    "dictionary-of-weak-closures", lanes: ["commands.typed"],
    .now {
      let table = CommandTable()
      table.start()
      Shell.commands.send("help")
      return table
    })
}

enum Shell {
  static let commands = PassthroughSubject<String, Never>()
}

/// A table with a closure for each command. The closures don't retain the table.
final class CommandTable {
  private var handlers: [String: (String) -> Void] = [:]
  private var done: [String] = []
  private let bag = DisposeBag()

  func start() {
    handlers["help"] = { [weak self] in self?.done.append($0) }
    handlers["exit"] = { [unowned self] in done.append($0) }
    Shell.commands
      .traced("commands.typed")
      .observeNext { [weak self] name in self?.handlers[name]?(name) }  // observed
      .dispose(in: bag)
  }
}
