package import SystemLibrary

/// The tasks that the records of a log describe, as the recorder requests them.
package struct TaskRequest {
  /// The maximum time, in nanoseconds, without the time for canceled tasks.
  package let limit: Int
  /// The maximum number of tasks.
  package let maxCount: Int
  /// The number of the last task before the recording.
  package let firstTask: UInt64
  /// Returns the tasks that have a lane, and whether the lane has a source location. Called after
  /// the search.
  package let lanes: () -> [UInt64: Bool]
  /// Returns whether a task is the one that exits the program.
  package let isExiting: (UInt64) -> Bool
  /// Returns the functions that begin at addresses, and why some may be missing.
  package let functions:
    (_ addresses: [UInt], _ limit: Int) -> (known: [UInt: CodeFunction], limit: Retention.Limit?)

  package init(
    limit: Int, maxCount: Int, firstTask: UInt64, lanes: @escaping () -> [UInt64: Bool],
    isExiting: @escaping (UInt64) -> Bool,
    functions: @escaping ([UInt], Int) -> (known: [UInt: CodeFunction], limit: Retention.Limit?)
  ) {
    self.limit = limit
    self.maxCount = maxCount
    self.firstTask = firstTask
    self.lanes = lanes
    self.isExiting = isExiting
    self.functions = functions
  }
}

/// The tasks that code of the program started and that haven't ended.
package struct TaskList {
  package struct Task {
    /// The facts about the task, without the tasks that it waits for.
    package let facts: UnfinishedTask
    /// The numbers of the tasks that it waits for.
    package let awaited: [UInt64]
    /// The number of the task that this one is a child of.
    package let parent: UInt64?
    /// The innermost call of the program.
    package let place: CodeLocation?
    /// The name for its lane, if it doesn't have one.
    package let lane: String

    package init(
      facts: UnfinishedTask, awaited: [UInt64], parent: UInt64?, place: CodeLocation?,
      lane: String
    ) {
      self.facts = facts
      self.awaited = awaited
      self.parent = parent
      self.place = place
      self.lane = lane
    }
  }

  package var tasks: [Task] = []
  /// Why it isn't known which tasks can continue. Nil if it is.
  package var limit: Retention.Limit?

  package init(limit: Retention.Limit? = nil) { self.limit = limit }
}
