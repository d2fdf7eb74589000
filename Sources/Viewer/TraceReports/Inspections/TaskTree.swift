import ProcessInspection
import ProcessMemory
import SwiftRuntime
import ViewerConsole

/// The tree of who waits for whom among the tasks of a process.
struct TaskTree {
  let rows: [WaitTree.Row]
  let hiddenCount: Int

  /// - Parameter isFull: Whether to show tasks without user code, and each of several equal tasks.
  init(_ inspection: Inspection, isFull: Bool, history: InspectionHistory?) {
    let busyThreads = Set(
      inspection.threads.lazy.filter(\.hasUserFrames).map(\.thread))
    let isShown = inspection.tasks.map { task in
      isFull || task.isOfUser || task.thread.map(busyThreads.contains) ?? false
    }
    hiddenCount = isShown.count { !$0 }
    let roots = inspection.waits.roots
    rows =
      WaitTree(
        roots: history?.sorted(roots, of: inspection.tasks) ?? roots,
        waits: { inspection.waits.waits(of: $0) }, isShown: { isShown[$0] },
        kind: { isFull ? nil : Kind(inspection.tasks[$0], $1) }
      ).rows
  }

  /// What equal tasks have in common.
  private struct Kind: Hashable {
    let parent: Int
    let frames: [String]
    let state: InspectedTask.State
    let isCancelled: Bool
    let hasMoved: Bool
    let executor: String?

    /// Returns nil for a task that runs on a thread, which is never equal to another one.
    init?(_ task: InspectedTask, _ parent: Int) {
      guard task.thread == nil else { return nil }
      self.parent = parent
      frames = task.frames.map(\.offset)
      state = task.state
      isCancelled = task.record.status.isCancelled
      hasMoved = task.hasMoved
      executor = task.executor
    }
  }
}

extension InspectedTask {
  /// A Boolean value that indicates whether the task belongs to code that isn't the system's: it
  /// has such calls, it has a name, or it hasn't begun to run a closure of the program.
  fileprivate var isOfUser: Bool {
    frames.contains { $0.origin != .system } || record.name != nil
      || state == .enqueued && frames.count == 1 && frames[0].isGenerated
  }
}

extension InspectedThread {
  fileprivate var hasUserFrames: Bool { frames.contains { $0.origin != .system } }
}
