import CodeLocations
package import ProcessMemory
import SwiftRuntime
package import SystemLibrary
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

  /// What the task does while it waits for a continuation, from the function that waits.
  package var pause: UnfinishedTask.Pause? {
    guard let pause = frames.pause else { return nil }
    // A task that sleeps can be canceled, except by the oldest function.
    return pause == .yield && record.hasCancellationHandler ? nil : pause
  }

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

extension UnfinishedTask {
  /// Creates the facts about a task, without its calls and those about other tasks.
  package init(_ task: InspectedTask) {
    self.init(
      number: task.record.number, name: task.record.name,
      priority: UInt64(task.record.status.priority), state: task.state,
      wait: task.record.wait.map { Wait($0) })
    if wait == .continuation { pause = task.pause }
    executor = task.executor
    thread = task.thread
    hasMoved = task.hasMoved
  }
}

extension UnfinishedTask.Wait {
  package init(_ wait: TaskRecord.Wait) {
    switch wait {
    case .task: self = .task
    case .group: self = .group
    case .continuation: self = .continuation
    case .executor: self = .executor
    }
  }
}

extension [InspectedFrame] {
  /// The innermost frame of the inspected package itself.
  package var userPlace: InspectedFrame? {
    first { $0.origin == .user && $0.source != nil } ?? first { $0.origin == .user }
  }

  /// The innermost frame of the inspected package, or else of one that it depends on.
  package var place: InspectedFrame? {
    userPlace ?? first { $0.origin == .dependency }
  }

  /// What the innermost function does, if it is one of a library.
  fileprivate var pause: UnfinishedTask.Pause? {
    for frame in prefix(while: { $0.origin != .user }) {
      guard let symbol = frame.symbol else { continue }
      // The mangled names of the types (`StandardTypesMangling.def` of the runtime).
      let isOfTask = symbol.hasPrefix("$sScT")
      if isOfTask, symbol.contains("5sleep") || symbol.contains("6_sleep") { return .sleep }
      if Self.clocks.contains(where: symbol.hasPrefix), symbol.contains("5sleep") { return .sleep }
      if isOfTask, symbol.contains("5yield") { return .yield }
      if symbol.hasPrefix("$sScS") || symbol.hasPrefix("$sScs") { return .stream }
      // The iterator of a channel of swift-async-algorithms, and its storage.
      if symbol.hasPrefix("$s15AsyncAlgorithms"), symbol.contains("7Channel"),
        symbol.contains("4next")
      {
        return .stream
      }
      if symbol.hasPrefix("$s7NIOCore15EventLoopFutureC") { return .promise }
    }
    return nil
  }

  /// The beginnings of the symbols of clocks, and of the protocol.
  private static var clocks: [String] {
    ["$ss5ClockP", "$ss15ContinuousClockV", "$ss15SuspendingClockV"]
  }
}
