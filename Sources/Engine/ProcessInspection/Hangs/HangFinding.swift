import ProcessMemory
package import TraceFormat

/// The most probable reason why a process, or one of its tests, hangs.
package struct HangFinding: Equatable, Sendable {
  package enum Cause: Equatable, Sendable {
    /// A signal or a debugger has stopped the process.
    case stopped(Stop)
    /// Tasks wait for each other's ends.
    case taskCycle
    /// Threads wait for each other's locks, queues or ends.
    case lockCycle
    /// All threads that run tasks are blocked, and other tasks wait for a thread.
    case blockedPool
    /// A thread is blocked.
    case blockedThread(ThreadActivity.Kind)
    /// A thread or a task runs, or did something between two looks.
    case busy
    /// A continuation isn't resumed.
    case continuation(UnfinishedTask.Pause?)
    /// A task waits for its turn on an actor or another executor of a type.
    case executor(String?)
    /// A task waits, and it isn't known for what.
    case unknown
  }

  /// Who has stopped a process.
  package enum Stop: Equatable, Sendable {
    /// A signal such as `SIGSTOP` or `SIGTSTP`.
    case signal
    /// The process that traces it, such as a debugger.
    case tracer(Int32)
  }

  package let cause: Cause
  /// The test that waits, or nil if the process runs no test.
  package let test: InspectedTest?
  /// The indices of the tasks: from the test down to the task at the bottom, or the tasks of a
  /// cycle.
  package let tasks: [Int]
  /// The numbers of the threads: each waits for the next one, and the last one is at the bottom, or
  /// waits for the first one.
  package let threads: [Int32]
  /// The lines to look at, the most important first.
  package let places: [InspectedFrame]

  package init(
    cause: Cause, test: InspectedTest?, tasks: [Int], threads: [Int32], places: [InspectedFrame]
  ) {
    self.cause = cause
    self.test = test
    self.tasks = tasks
    self.threads = threads
    self.places = places
  }

  /// A Boolean value that indicates whether nothing can end the wait, so that the finding is more
  /// than probable. Only the wait for a task's end can't be interrupted.
  package var isProven: Bool { cause == .taskCycle }
}

extension InspectedTask {
  /// What the task does while it waits for a continuation, from the function that waits.
  package var pause: UnfinishedTask.Pause? { frames.pause }
}

extension ThreadActivity {
  /// A Boolean value that indicates whether the thread waits for something and can't do other work
  /// in the meantime.
  package var isBlocked: Bool { kind != .running && kind != .idle }

  /// A Boolean value that indicates whether another thread or task has to do something.
  var isForOthers: Bool { [.semaphore, .condition, .group, .events].contains(kind) }
}

extension InspectedThread {
  /// A Boolean value that indicates whether the thread waits as a thread of a server or a library
  /// at rest does.
  var isAtRest: Bool { isIdle || activity.kind == .events && frames.userPlace == nil }
}

extension [InspectedFrame] {
  /// The innermost frame of the inspected package itself.
  fileprivate var userPlace: InspectedFrame? {
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
      if symbol.hasPrefix("$sScT"), symbol.contains("5sleep") { return .sleep }
      if symbol.hasPrefix("$sScT"), symbol.contains("5yield") { return .yield }
      if symbol.hasPrefix("$sScS") || symbol.hasPrefix("$sScs") { return .stream }
      if symbol.hasPrefix("$s7NIOCore15EventLoopFutureC") { return .promise }
    }
    return nil
  }
}
