import ReactiveKit
import Synchronization
import TraceShims

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Ends the log when the process exits, and keeps a forked child out of the log of its parent.
enum ProcessHooks {
  private static let isInstalled = Atomic<Bool>(false)
  private static let isChild = Atomic<Bool>(false)
  private static let forks = Atomic<Int>(0)
  /// The thread that makes what is made once a process, or that forks; 0 where there is none.
  private static let gate = Atomic<UInt>(0)

  /// Whether this process was forked, so that threads which libdispatch believes in may not exist.
  static var isForkedChild: Bool { isChild.load(ordering: .relaxed) }

  static var process: Int { Int(getpid()) }

  /// The number of forks between the first process and this one, which differs between a process and its children.
  static var generation: Int { forks.load(ordering: .relaxed) }

  static func install() {
    guard !isInstalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    atexit { ActiveLog.stopAtExit() }
    pthread_atfork(
      { ProcessHooks.beforeFork() }, { ProcessHooks.afterFork() }, { ProcessHooks.beginInChild() })
  }

  /// How long the gate is waited for, in nanoseconds.
  private static let patience = 1_000_000_000

  private static func beforeFork() {
    // A signal handler that forks may have interrupted who is in the gate.
    guard !Inside.isInside else { return }
    // Forking is the user's wish: late is better than never.
    closeGate(until: LogClock.monotonic() + patience)
  }

  private static func afterFork() {
    if !Inside.isInside { openGate() }
  }

  private static func beginInChild() {
    gate.store(0, ordering: .relaxed)
    isChild.store(true, ordering: .relaxed)
    forks.wrappingAdd(1, ordering: .relaxed)
    ActiveLog.leaveToParent()
  }

  /// Runs `body` while no other thread forks.
  static func withoutFork<Result>(
    _ body: () throws(TraceError) -> Result
  ) throws(TraceError) -> Result {
    trace_enter()
    // The thread that forks may be in a fork handler of the program's, which waits for a lock that this thread holds.
    closeGate(until: LogClock.monotonic() + patience)
    defer {
      openGate()
      trace_leave()
    }
    return try body()
  }

  private static func closeGate(until deadline: Int) {
    let own = trace_thread()
    // A hook of somebody else's may trace while this thread forks.
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

/// Called before `main` where the environment asks for tracing, wherever this module is linked: what is made once a process is
/// made while there is only one thread, and with `REACTIVE_TRACE_ALL` observations are shown from the first one on. The log is
/// opened when there is one, not here: a program that observes nothing must not replace a log.
@_cdecl("reactive_trace_launch")
func launch() {
  if Settings.path != nil {
    ProcessHooks.install()
    WarmUp.run()
  }
  guard Settings.tracksAll else { return }
  Tracing.install(ReactiveTracer.shared)
  Tracing.showObservations(true)
}
