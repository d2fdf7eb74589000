import ReactiveKit

extension LeakCase {
  static let syncScreen = cycle(
    "task-stored", lanes: ["sync.changes"], path: ["SyncScreen.task"], also: ["SyncScreen.seen"],
    .later {
      let screen = SyncScreen()
      screen.start()
      await wait { screen.seen == "first" }
      return screen
    })
}

enum SyncServer {
  static let changes = Property("first")
}

/// A screen that iterates in a task that it stores. The task and the screen retain each other.
@MainActor
final class SyncScreen {
  private(set) var seen = ""
  private var task: Task<Void, Never>?

  func start() {
    task = Task {
      for await change in SyncServer.changes.traced("sync.changes").values {  // observed
        self.seen = change
      }
    }
  }
}
