import ProcessMemory
package import TaskInspection

/// Since when each task and each thread of a process has been in the same place, over several
/// inspections of the process.
package struct InspectionHistory {
  private struct Stay {
    let place: [String]
    let start: Int
  }

  private var tasks: [UInt64: Stay] = [:]
  private var threads: [Int32: Stay] = [:]
  /// The time of the latest inspection, in nanoseconds.
  private(set) var now = 0

  package init() {}

  /// Adds an inspection.
  ///
  /// - Parameter time: The time of the inspection, in nanoseconds of any clock.
  package mutating func add(_ inspection: Inspection, at time: Int) {
    func stay(_ frames: [InspectedFrame], _ hasMoved: Bool, _ known: Stay?) -> Stay {
      let place = frames.map(\.offset)
      if !hasMoved, let known, known.place == place { return known }
      return Stay(place: place, start: time)
    }
    now = time
    tasks = Dictionary(
      inspection.tasks.map {
        ($0.record.number, stay($0.frames, $0.hasMoved, tasks[$0.record.number]))
      }, uniquingKeysWith: { first, _ in first })
    threads = Dictionary(
      inspection.threads.map { ($0.thread, stay($0.frames, $0.hasMoved, threads[$0.thread])) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the time of the first of the latest inspections in which a task was in the same place.
  package func start(of task: InspectedTask) -> Int { tasks[task.record.number]?.start ?? now }

  /// Returns the time of the first of the latest inspections in which a thread was in the same
  /// place.
  package func start(of thread: InspectedThread) -> Int { threads[thread.thread]?.start ?? now }
}
