import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat
import TraceShims

/// The hooks that end the log when the process exits, and that keep a forked child out of the log
/// of its parent.
enum ProcessHooks {
  private static let isInstalled = Atomic<Bool>(false)
  private static let isChild = Atomic<Bool>(false)
  private static let forks = Atomic<Int>(0)
  /// The thread that forks or that creates the once-per-process values, or 0 if there is none. This is
  /// not a mutex, because a forking thread must stop waiting after a while, and its child must be able
  /// to open the gate.
  private static let gate = Atomic<UInt>(0)

  /// True if this process was forked. Threads that libdispatch expects may not exist in it.
  static var isForkedChild: Bool { isChild.load(ordering: .relaxed) }

  static var process: Int { Int(getpid()) }

  /// The number of forks between this process and the first one, which differs between a process
  /// and its children.
  static var generation: Int { forks.load(ordering: .relaxed) }

  static func install() {
    guard !isInstalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    atexit { TracingState.stopAtExit() }
    pthread_atfork(
      { ProcessHooks.beforeFork() }, { ProcessHooks.afterFork() }, { ProcessHooks.beginInChild() })
  }

  /// The maximum time to wait for the gate, in nanoseconds.
  private static let patience = 1_000_000_000

  private static func beforeFork() {
    // A signal handler that forks may have interrupted the thread that holds the gate.
    guard !Inside.isInside else { return }
    // The user has asked for the fork, so it goes ahead even if another thread still holds the
    // gate.
    closeGate(until: LogClock.monotonic() + patience)
  }

  private static func afterFork() {
    if !Inside.isInside { openGate() }
  }

  private static func beginInChild() {
    gate.store(0, ordering: .relaxed)
    isChild.store(true, ordering: .relaxed)
    forks.wrappingAdd(1, ordering: .relaxed)
    TracingState.leaveToParent()
  }

  /// Runs `body` while no other thread forks.
  static func withoutFork<Result>(
    _ body: () throws(TraceError) -> Result
  ) throws(TraceError) -> Result {
    trace_enter()
    // The forking thread may be in a fork handler of the program that waits for a lock of this
    // thread.
    closeGate(until: LogClock.monotonic() + patience)
    defer {
      openGate()
      trace_leave()
    }
    return try body()
  }

  private static func closeGate(until deadline: Int) {
    let own = trace_thread()
    // A hook of other code may trace while this thread forks.
    guard gate.load(ordering: .relaxed) != own else { return }
    while !gate.compareExchange(
      expected: 0, desired: own, ordering: .acquiringAndReleasing
    ).exchanged {
      if LogClock.monotonic() > deadline { return }
      LogClock.yield()
    }
  }

  private static func openGate() {
    _ = gate.compareExchange(
      expected: trace_thread(), desired: 0, ordering: .acquiringAndReleasing)
  }
}

/// Prepares tracing before `main` if the environment asks for it, in every program that links this
/// module. The once-per-process values are created while there is only one thread. Observations are
/// shown from the first one on. The log is opened at the first one that is traced, not here: a
/// program that traces nothing must not replace a log.
@_cdecl("reactive_trace_launch")
func launch() {
  if EnvironmentSettings.path != nil {
    ProcessHooks.install()
    WarmUp.run()
  }
  guard EnvironmentSettings.path != nil || EnvironmentSettings.tracksAll else { return }
  Tracing.install(ReactiveTracer.shared)
  Tracing.showObservations(true)
}
