import ProcessMemory
package import TaskInspection
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
    /// All threads that run tasks are blocked, and other tasks wait for a thread; or all threads of
    /// a global queue, which has other work.
    case blockedPool(queue: String?)
    /// A thread is blocked.
    case blockedThread(ThreadActivity.Kind)
    /// A thread or a task runs, or did something between two looks.
    case busy
    /// A continuation isn't resumed.
    case continuation(UnfinishedTask.Pause?)
    /// A checked continuation was deallocated without being resumed.
    case lostContinuation
    /// A task waits for its turn on an actor or another executor of a type.
    case executor(String?)
    /// All tasks and threads wait for work, such as those of a server without requests.
    case rest
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
  /// than probable: the wait for a task's end can't be interrupted, and a continuation that was
  /// deallocated can't be resumed.
  package var isProven: Bool { cause == .taskCycle || cause == .lostContinuation }
}

extension InspectedTask {
  /// A Boolean value that indicates whether `pause` is known. Runtimes without local symbols don't
  /// have the names of the functions that wait.
  var isPauseKnown: Bool {
    !frames.prefix { $0.origin != .user }.contains { $0.origin == .system && $0.symbol == nil }
  }

  /// A Boolean value that indicates whether the task waits in a function that makes a checked
  /// continuation.
  var isChecked: Bool {
    frames.prefix { $0.origin != .user }.compactMap(\.symbol).contains {
      $0.hasPrefix("$ss23withCheckedContinuation")
        || $0.hasPrefix("$ss31withCheckedThrowingContinuation")
    }
  }

  /// The line of the package's code at which the task waits.
  var userPlace: InspectedFrame? {
    // The function that waits can be one that only makes a continuation for its caller.
    if let name = waitingFunction,
      let frame = frames.first(where: { $0.origin == .user && $0.isPart(of: name) })
    {
      let place = frames.userPlace
      return place.map { $0.isPart(of: name) || $0.makesContinuation } == true ? caller : frame
    }
    return caller
  }

  /// The innermost frame of the package that isn't a function around a continuation.
  private var caller: InspectedFrame? {
    let users = frames.filter { $0.origin == .user }
    return users.first { $0.source != nil && !$0.makesContinuation } ?? frames.userPlace
  }

  /// The line to look at: one of the inspected package, or else of one that it depends on.
  var place: InspectedFrame? { userPlace ?? frames.place }

  /// A Boolean value that indicates whether the task waits for the next element of a sequence, a
  /// connection or a message, as the tasks of a server do that has nothing to do.
  var waitsForWork: Bool {
    guard case .continuation = record.wait else { return false }
    return pause == .stream || frames.prefix { $0.origin != .user }.contains(where: \.isIteration)
  }

  /// A Boolean value that indicates whether the task waits for the answer of another process.
  var waitsForAnswer: Bool {
    frames.prefix { $0.origin == .system }.contains {
      $0.symbol?.hasPrefix("$s20FoundationNetworking") == true
    }
  }

  /// A Boolean value that indicates whether this is the task at which the program starts.
  var isMain: Bool { frames.contains { $0.isEntry || $0.isAsynchronousEntry } }

  /// A Boolean value that indicates whether a library calls the package's code, as a server does
  /// with a request.
  var isCalledByLibrary: Bool {
    guard let user = frames.lastIndex(where: { $0.origin == .user }) else { return false }
    return frames[user...].contains { $0.origin == .dependency && !$0.isOfServiceLifecycle }
  }
}

extension InspectedFrame {
  // The names in mangled symbols of the types and modules.

  /// A Boolean value that indicates whether the function returns the next element of a sequence.
  fileprivate var isIteration: Bool { symbol?.contains("4next") == true }

  /// A Boolean value that indicates whether the function belongs to the package that starts and
  /// stops the services of a server.
  var isOfServiceLifecycle: Bool {
    symbol?.contains("16ServiceLifecycle") == true || symbol?.contains("11UnixSignals") == true
  }

  /// A Boolean value that indicates whether the function makes a continuation for its caller, as
  /// its name says.
  fileprivate var makesContinuation: Bool {
    guard let name = function?.split(separator: ".").last else { return false }
    let base = name.prefix { $0 != "(" && $0 != "<" }
    return base.hasPrefix("with") && base.hasSuffix("Continuation")
  }

  /// Returns whether this is a function with a name as in `#function`, or a closure in one.
  fileprivate func isPart(of name: String) -> Bool {
    guard let function else { return false }
    return function == name || function.hasSuffix(".\(name)") || function.hasSuffix(" \(name)")
  }
}

extension ThreadActivity {
  /// A Boolean value that indicates whether the thread waits for something and can't do other work
  /// in the meantime.
  package var isBlocked: Bool { kind != .running && kind != .idle }

  /// A Boolean value that indicates whether another thread or task has to do something.
  var isForOthers: Bool { [.semaphore, .condition, .group, .events].contains(kind) }

  /// A Boolean value that indicates whether the thread waits for a client or a signal.
  var isForClients: Bool { [.events, .accept, .signal].contains(kind) }
}

extension InspectedThread {
  /// A Boolean value that indicates whether the thread waits as a thread of a server or a library
  /// at rest does.
  var isAtRest: Bool { isIdle || activity.kind == .events && frames.userPlace == nil }

  /// A Boolean value that indicates whether the thread belongs to libdispatch, and work that waits
  /// for something blocks it. Work that runs all the time waits for a condition or an event.
  var blocksQueue: Bool {
    [.semaphore, .group].contains(activity.kind)
      && frames.contains { $0.symbol == "_dispatch_worker_thread" }
  }

  /// A Boolean value that indicates whether the thread waits for a promise of SwiftNIO
  /// (`EventLoopFuture.swift`).
  var waitsForPromise: Bool {
    activity.kind == .condition
      && frames.contains { $0.function?.hasPrefix("EventLoopFuture.wait(") == true }
  }

  /// A Boolean value that indicates whether the thread uses a processor, or would if it got one.
  var isBusy: Bool { usesProcessor && activity.kind != .once || activity.kind == .running }
}

extension [InspectedFrame] {
  /// The frame that called the innermost frame of the inspected package, if it belongs to it, too.
  var userCaller: InspectedFrame? {
    guard let inner = firstIndex(where: { $0.origin == .user && $0.source != nil }) else {
      return nil
    }
    return self[(inner + 1)...].first { $0.origin == .user && $0.source != nil && !$0.isEntry }
  }
}
