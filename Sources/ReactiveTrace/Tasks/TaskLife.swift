import ReactiveKit
import SystemLibrary
import TraceFormat

/// The life of a task on a lane.
struct TaskLife: Sendable {
  /// The traced task that runs, or that started the current one.
  @TaskLocal static var current: TaskLife?

  private let subscription: TracedSubscription
  private var recorder: Recorder { subscription.recorder }

  /// Writes that a task was started. Returns nil if it isn't traced.
  init?(
    _ name: String?, _ lifetime: Trace.Lifetime, file: String, function: String, line: Int
  ) {
    guard !Inside.isInside, let recorder = Recorder.current else { return nil }
    let site = TraceSite(name, .task, file: file, line: line, function: function)
    let thread = ThreadContext.current
    guard recorder.options.lanes.matches(site.lane), thread.pointee.sinkDepth == 0 else {
      return nil
    }
    let starter =
      Self.current.flatMap { $0.recorder === recorder ? $0.subscription : nil }
      ?? Self.starterOfAnyKind(in: recorder)
    subscription = TracedSubscription(
      recorder: recorder, site: SharedSite(site, type: "-"), parent: starter,
      cause: thread.pointee.delivering.id(in: recorder), scope: TraceScope.current,
      test: recorder.testScope,
      lifetimeIsProcess: lifetime == .process)
  }

  private static func starterOfAnyKind(in recorder: Recorder) -> TracedSubscription? {
    #if os(Linux)
      TaskLives.current.flatMap { $0.recorder === recorder ? $0 : nil }
    #else
      nil
    #endif
  }

  /// Makes the next task of the calling thread the one of this life, until `endStarting`.
  func beginStarting() { ThreadContext.current.pointee.startingTask = subscription }

  func endStarting() { ThreadContext.current.pointee.startingTask = nil }

  func run<Success: Sendable>(_ operation: @escaping @isolated(any) () async -> Success) async
    -> Success
  {
    begin()
    let success = await Self.$current.withValue(self) { await operation() }
    if Task.isCancelled { subscription.disposed() } else { subscription.completed() }
    return success
  }

  func run<Success: Sendable>(
    _ operation: @escaping @isolated(any) () async throws -> Success
  ) async throws -> Success {
    begin()
    do {
      let success = try await Self.$current.withValue(self) { try await operation() }
      if Task.isCancelled { subscription.disposed() } else { subscription.completed() }
      return success
    } catch {
      if error is CancellationError {
        subscription.disposed()
      } else {
        subscription.failed(with: error)
      }
      throw error
    }
  }

  /// Notes which task this is.
  private func begin() {
    if let number = TaskNumber.current { subscription.noteTask(number) }
  }
}

/// A mark that all tasks have which code inside a test starts: a task-local value.
///
/// Each of these tasks retains the mark until it ends. So if nothing retains it after the test, all
/// of these tasks have ended, and no search is necessary. A detached task doesn't inherit it.
package final class TaskOrigin: Sendable {
  @TaskLocal package static var current: TaskOrigin?

  package init() {}
}
