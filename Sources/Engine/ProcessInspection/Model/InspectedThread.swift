package import ProcessMemory
package import TaskInspection
package import TraceFormat

/// A thread of a process with its calls.
package struct InspectedThread: Sendable {
  package let thread: Int32
  package let name: String
  /// What the thread does or waits for.
  package internal(set) var activity: ThreadActivity
  /// The calls, innermost first. They are empty if the thread couldn't be read.
  package let frames: [InspectedFrame]
  /// The calls that are missing in `frames`, because there are too many.
  package let gap: CallGap?
  /// The index of the task that the thread runs.
  package var task: Int?
  /// A Boolean value that indicates whether the thread ran or ended during the inspection.
  package var hasMoved: Bool
  /// A Boolean value that indicates whether the thread used a processor for a good part of the time
  /// between the two looks.
  package var usesProcessor: Bool

  package init(
    thread: Int32, name: String, activity: ThreadActivity, frames: [InspectedFrame],
    gap: CallGap? = nil, task: Int? = nil, hasMoved: Bool = false, usesProcessor: Bool = false
  ) {
    self.thread = thread
    self.name = name
    self.activity = activity
    self.frames = frames
    self.gap = gap
    self.task = task
    self.hasMoved = hasMoved
    self.usesProcessor = usesProcessor
  }

  /// A Boolean value that indicates whether the thread only waits for work.
  package var isIdle: Bool { activity.kind == .idle }
}
