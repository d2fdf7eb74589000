package import CodeLocations
package import ProcessMemory
import SwiftRuntime
package import TraceFormat

/// A task of a process with its asynchronous call stack.
package struct InspectedTask: Sendable {
  package let record: TaskRecord
  /// The asynchronous functions that wait for each other, innermost first.
  package let frames: [InspectedFrame]
  /// The thread that runs the task, or nil if it doesn't run or if the thread isn't known.
  package var thread: Int32?
  /// The type of the executor on which the task waits for its turn, such as an actor.
  package let executor: String?
  /// A Boolean value that indicates whether the task moved on or ended during the inspection.
  package var hasMoved: Bool
  /// The name of the function that waits, as the program gave it to a checked continuation.
  package var waitingFunction: String?
  /// A Boolean value that indicates whether the task waits for a checked continuation that isn't in
  /// memory.
  package var hasLostContinuation = false
  /// The threads that wait for an object to which the frames of the task have a reference.
  package var servedThreads: [Int32] = []

  package init(
    record: TaskRecord, frames: [InspectedFrame], thread: Int32? = nil, executor: String? = nil,
    hasMoved: Bool = false, waitingFunction: String? = nil, servedThreads: [Int32] = []
  ) {
    self.record = record
    self.frames = frames
    self.thread = thread
    self.executor = executor
    self.hasMoved = hasMoved
    self.waitingFunction = waitingFunction
    self.servedThreads = servedThreads
  }

  /// The name of the executor of the main actor.
  package static let mainActor = "MainActor"

  package var state: UnfinishedTask.State {
    if record.status.isRunning { return .running }
    switch record.wait {
    case .executor: return .enqueued
    case nil where record.status.isEnqueued: return .enqueued
    case nil: return .suspended
    case .task, .group, .continuation: return .waiting
    }
  }
}

extension InspectedTask {
  /// Creates a task of this process with the functions at its addresses.
  package init(_ record: TaskRecord, _ functions: [UInt: CodeFunction]) {
    self.init(
      record: record,
      frames: record.code.map {
        InspectedFrame(functions[$0], LoadedImage(at: $0), resumingAt: $0)
      })
  }
}

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
