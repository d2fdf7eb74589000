import ReactiveKit

extension LeakCase {
  static let statusItem = cycle(
    "assign-to-self", lanes: ["status.texts"],
    path: ["assign(to:on:)", "StatusItem.subscriptions"], breaks: "assign(to:on:)",
    .now {
      let item = StatusItem()
      item.show()
      StatusServer.texts.send("ok")
      return item
    })
}

enum StatusServer {
  static let texts = PassthroughSubject<String, Never>()
}

/// An item that assigns to its own property, which retains it while the subscription lasts.
final class StatusItem {
  var text = ""
  private var subscriptions: [AnyCancellable] = []

  func show() {
    StatusServer.texts
      .traced("status.texts")
      .assign(to: \.text, on: self)  // observed
      .store(in: &subscriptions)
  }
}
