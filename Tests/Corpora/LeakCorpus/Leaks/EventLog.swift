import ReactiveKit

extension LeakCase {
  static let eventLog = cycle(
    "array-of-closures", lanes: ["log.lines"], path: ["EventLog.listeners", "closure"],
    also: ["EventLog.bag"], breaks: "closure",
    .now {
      let log = EventLog()
      log.start()
      Console.lines.send("begin")
      return log
    })
}

enum Console {
  static let lines = PassthroughSubject<String, Never>()
}

/// A log that calls its listeners for each line. One of them is its own closure.
final class EventLog {
  private var listeners: [(String) -> Void] = []
  private var count = 0
  private let bag = DisposeBag()

  func start() {
    listeners.append { _ in self.count += 1 }
    Console.lines
      .traced("log.lines")
      .observeNext { [weak self] line in self?.tell(line) }  // observed
      .dispose(in: bag)
  }

  private func tell(_ line: String) {
    for listener in listeners { listener(line) }
  }
}
