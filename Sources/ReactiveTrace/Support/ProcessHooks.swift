import CRuntime.OwnProcess
import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat

/// The hooks that end the log when the process exits, and that prevent a forked child from writing
/// to the log of its parent.
enum ProcessHooks {
  private static let isInstalled = Atomic<Bool>(false)
  private static let isChild = Atomic<Bool>(false)
  private static let forks = Atomic<Int>(0)
  /// The thread that is forking or creating the once-per-process values, or 0 if there isn't one.
  /// This isn't a mutex, because a forking thread must stop waiting after a while, and its child
  /// must be able to open the gate.
  private static let gate = Atomic<UInt>(0)

  /// A Boolean value that indicates whether this process was forked. Threads that libdispatch
  /// expects might not exist in it.
  static var isForkedChild: Bool { isChild.load(ordering: .relaxed) }

  static var process: Int { Int(getpid()) }

  /// The number of forks between this process and the first one, which differs between a process
  /// and its children.
  static var generation: Int { forks.load(ordering: .relaxed) }

  /// Makes the system call `exitAction` when the process exits, and `childAction` in each child
  /// that the process forks. Only the first call has an effect.
  static func install(
    atExit exitAction: @escaping @convention(c) () -> Void,
    inChild childAction: @escaping @convention(c) () -> Void
  ) {
    guard !isInstalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    atexit(exitAction)
    pthread_atfork(
      { ProcessHooks.beforeFork() }, { ProcessHooks.afterFork() }, { ProcessHooks.beginInChild() })
    // The system calls the actions for children in the order in which they were added.
    pthread_atfork(nil, nil, childAction)
  }

  /// The maximum time to wait for the gate, in nanoseconds.
  private static let maxGateWait = 1_000_000_000

  private static func beforeFork() {
    // A signal handler that forks can have interrupted the thread that holds the gate.
    guard !Inside.isInside else { return }
    // The program requested the fork, so it proceeds even if another thread still holds the gate.
    closeGate(until: LogClock.monotonic() + maxGateWait)
  }

  private static func afterFork() {
    if !Inside.isInside { openGate() }
  }

  private static func beginInChild() {
    gate.store(0, ordering: .relaxed)
    isChild.store(true, ordering: .relaxed)
    forks.wrappingAdd(1, ordering: .relaxed)
  }

  /// Runs `body` while no other thread forks.
  static func withoutFork<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    trace_enter()
    // The forking thread can be in a fork handler of the program that waits for a lock of this
    // thread.
    closeGate(until: LogClock.monotonic() + maxGateWait)
    defer {
      openGate()
      trace_leave()
    }
    return try body()
  }

  private static func closeGate(until deadline: Int) {
    let own = trace_thread()
    // A fork handler of other code can trace while this thread forks.
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
