import ProcessMemory
import SwiftRuntime
import TaskInspection
import TraceFormat

/// The tasks of a process that differ only in their numbers, and share a record.
///
/// Such a task waits for no other one, runs on no thread, and the same tasks wait for it.
struct AlikeTasks {
  private struct Kind: Hashable {
    let name: String?
    let executor: String?
    let priority: UInt64
    let state: UnfinishedTask.State
    let wait: UnfinishedTask.Wait?
    let pause: UnfinishedTask.Pause?
    let parent: UInt?
    let waiters: [Int]
    let isCanceled: Bool
    let hasMoved: Bool
    let code: [UInt]
  }

  /// The task with the record of each task. It is empty if each task has its own.
  private var first: [Int] = []
  private var counts: [Int: Int] = [:]

  init(_ inspection: Inspection, isFull: Bool) {
    guard !isFull else { return }
    let tasks = inspection.tasks
    let parents = Set(tasks.compactMap { $0.record.parent.flatMap(inspection.waits.index) })
    var waiters: [Int: [Int]] = [:]
    for index in tasks.indices {
      for other in inspection.waits.waits(of: index) { waiters[other, default: []].append(index) }
    }
    var known: [Kind: Int] = [:]
    for (index, task) in tasks.enumerated() {
      let isLeaf =
        task.thread == nil && !task.hasLostContinuation && inspection.waits.waits(of: index).isEmpty
        && !parents.contains(index)
      let kind = Kind(
        name: task.record.name, executor: task.executor,
        priority: UInt64(task.record.status.priority), state: task.state,
        wait: task.record.wait.map { UnfinishedTask.Wait($0) }, pause: task.pause,
        parent: task.record.parent, waiters: waiters[index] ?? [],
        isCanceled: task.record.status.isCancelled, hasMoved: task.hasMoved,
        code: task.record.code)
      let shared = isLeaf ? known[kind, default: index] : index
      if isLeaf { known[kind] = shared }
      first.append(shared)
      counts[shared, default: 0] += 1
    }
  }

  /// Returns whether a task has a record of its own. Larger numbers than those of tasks are other
  /// things.
  func hasRecord(_ index: Int) -> Bool { !first.indices.contains(index) || first[index] == index }

  /// Returns the number of tasks that share the record of a task.
  func count(of task: Int) -> Int { counts[task] ?? 1 }

  /// Returns the tasks with the records of some tasks, each once.
  func withRecords(_ tasks: [Int]) -> [Int] {
    guard !first.isEmpty else { return tasks }
    var seen: Set<Int> = []
    return tasks.map { first[$0] }.filter { seen.insert($0).inserted }
  }
}
