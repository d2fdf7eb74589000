import ReactiveKit

extension LeakCase {
  static let badgeView = held(
    "task-weak-endless", lanes: ["badge.unread"], roots: ["Task", "UnreadCounter.unread"],
    holder: ["Task"], alive: false,
    .later {
      let badge = BadgeView()
      badge.start()
      await wait { badge.text == "3" }
      return badge
    })
}

enum UnreadCounter {
  static let unread = Property(3)
}

/// A view that its task captures weakly, so it is deallocated, but the task never ends.
@MainActor
final class BadgeView {
  private(set) var text = ""

  func start() {
    Task { [weak self] in
      for await unread in UnreadCounter.unread.traced("badge.unread").values {  // observed
        self?.text = "\(unread)"
      }
    }
  }
}
