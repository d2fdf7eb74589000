import ReactiveKit
import ReactiveTrace

extension Lesson {
  static let inbox = Lesson(
    name: "InboxScreen",
    lane: "inbox.unread",
    mistake: "A Task loops over values that never end, and nobody cancels it.",
    cure: "Keep the Task, and cancel it when the screen closes.",
    leaky: {
      let screen = InboxScreen()
      screen.open()
      while screen.unread == 0 { await Task.yield() }
    },
    cured: {
      let screen = CuredInboxScreen()
      screen.open()
      while screen.unread == 0 { await Task.yield() }
      screen.close()
    })
}

private enum Mailbox {
  static let unread = Property(3)
}

/// A screen with the number of unread messages.
@MainActor
private final class InboxScreen {
  private(set) var unread = 0

  func open() {
    Task {
      for await count in Mailbox.unread.lane("inbox.unread").values {  // observed
        unread = count
      }
    }
  }
}

@MainActor
private final class CuredInboxScreen {
  private(set) var unread = 0
  private var task: Task<Void, Never>?

  func open() {
    task = Task {
      for await count in Mailbox.unread.lane("inbox.unread").values {
        unread = count
      }
    }
  }

  func close() { task?.cancel() }
}
