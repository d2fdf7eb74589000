import ReactiveKit

extension LeakCase {
  static let inboxScreen = cycle(
    "filter", lanes: ["inbox.messages"], path: ["closure", "InboxScreen.bag"], breaks: "closure",
    .now {
      let screen = InboxScreen(owner: "ada")
      MailServer.messages.send("ada: hello")
      return screen
    })
}

enum MailServer {
  static let messages = PassthroughSubject<String, Never>()
}

/// A screen that counts messages. Its observer is weak, but the filter isn't.
final class InboxScreen {
  private let owner: String
  private var count = 0
  private let bag = DisposeBag()

  init(owner: String) {
    self.owner = owner
    MailServer.messages
      .traced("inbox.messages")
      .filter { self.isMine($0) }
      .observeNext { [weak self] _ in self?.count += 1 }  // observed
      .dispose(in: bag)
  }

  private func isMine(_ message: String) -> Bool { message.hasPrefix(owner) }
}
