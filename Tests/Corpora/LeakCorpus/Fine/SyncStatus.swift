import ReactiveKit

extension LeakCase {
  static let syncStatus = fine(
    "task-canceled", lanes: ["status.changes"],
    .later {
      let ends = Counter()
      let status = SyncStatus(ends)
      await wait { status.text == "idle" }
      status.stop()
      await wait { ends.value == 1 }
      return status
    })
}

enum SyncService {
  static let changes = Property("idle")
}

/// A status that iterates in a task, and cancels the task.
@MainActor
final class SyncStatus {
  private(set) var text = ""
  private var task: Task<Void, Never>?

  init(_ ends: Counter) {
    task = Task {
      for await change in SyncService.changes.traced("status.changes").values {  // observed
        self.text = change
      }
      ends.increase()
    }
  }

  func stop() {
    task?.cancel()
    task = nil
  }
}
