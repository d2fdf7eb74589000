package import ProcessInspection
import ProcessMemory

/// How long each task and each thread of a process has been in the same place, over several
/// inspections of the process.
package struct InspectionHistory {
  private struct Stay {
    let place: [String]
    let start: Int
  }

  private var tasks: [UInt64: Stay] = [:]
  private var threads: [Int32: Stay] = [:]
  private var now = 0

  package init() {}

  /// Adds an inspection.
  ///
  /// - Parameter time: The time of the inspection, in nanoseconds of any clock.
  package mutating func add(_ inspection: Inspection, at time: Int) {
    now = time
    var (tasks, threads): ([UInt64: Stay], [Int32: Stay]) = ([:], [:])
    for task in inspection.tasks {
      let number = task.record.number
      let place = task.frames.map(\.offset)
      tasks[number] = stay(place, self.tasks[number], task.hasMoved)
    }
    for thread in inspection.threads {
      let place = thread.frames.map(\.offset)
      threads[thread.thread] = stay(place, self.threads[thread.thread], thread.hasMoved)
    }
    (self.tasks, self.threads) = (tasks, threads)
  }

  private func stay(_ place: [String], _ known: Stay?, _ hasMoved: Bool) -> Stay {
    if !hasMoved, let known, known.place == place { return known }
    return Stay(place: place, start: now)
  }

  /// Returns the time, in nanoseconds, for which a task has been in the same place in each
  /// inspection.
  package func time(of task: InspectedTask) -> Int {
    tasks[task.record.number].map { now - $0.start } ?? 0
  }

  /// Returns the time, in nanoseconds, for which a thread has been in the same place in each
  /// inspection.
  package func time(of thread: InspectedThread) -> Int {
    threads[thread.thread].map { now - $0.start } ?? 0
  }

  /// Returns threads in the order of their times in the same place, the longest first.
  func sorted(_ threads: [InspectedThread]) -> [InspectedThread] {
    sorted(threads) { time(of: $0) }
  }

  /// Returns the indices of tasks in the order of their times in the same place, the longest first.
  func sorted(_ indices: [Int], of tasks: [InspectedTask]) -> [Int] {
    sorted(indices) { time(of: tasks[$0]) }
  }

  /// Sorts things by their times. Things with the same time, in seconds, stay in their order.
  private func sorted<Item>(_ items: [Item], _ time: (Item) -> Int) -> [Item] {
    let times = items.map { time($0) / 1_000_000_000 }
    let order = items.indices.sorted { (-times[$0], $0) < (-times[$1], $1) }
    return order.map { items[$0] }
  }
}
