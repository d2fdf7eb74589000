import Foundation
import ReactiveKit

extension LeakCase {
  static let keyboardToolbar = held(
    "notification-observer", lanes: ["toolbar.items"], roots: ["NotificationCenter.default"],
    path: ["closure at KeyboardToolbar", "KeyboardToolbar.bag"],
    holder: ["KeyboardToolbar.bag"], alive: true,
    .now {
      let toolbar = KeyboardToolbar()
      toolbar.open()
      return toolbar
    })
}

enum ToolbarSettings {
  static let items = Property(["bold"])
}

/// A toolbar with a notification token. The notification center still retains the toolbar.
final class KeyboardToolbar: @unchecked Sendable {
  private var items: [String] = []
  private let bag = DisposeBag()
  private var token: (any NSObjectProtocol)?

  func open() {
    ToolbarSettings.items
      .traced("toolbar.items")
      .observeNext { [weak self] in self?.items = $0 }  // observed
      .dispose(in: bag)
    token = NotificationCenter.default.addObserver(
      forName: Notification.Name("keyboard"), object: nil, queue: nil
    ) { _ in self.reload() }
  }

  private func reload() { items = [] }
}
