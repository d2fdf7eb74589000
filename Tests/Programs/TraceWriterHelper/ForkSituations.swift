import ReactiveKit
import ReactiveTrace
import Synchronization
import SystemLibrary
import TestThreads

/// Processes that fork while other threads hold locks.
enum ForkSituations {
  private static let subject = PassthroughSubject<Int, Never>()
  private static let child = Atomic<pid_t>(0)

  /// Forks in the middle of an observation while other threads observe. The child completes the
  /// observation. Prints how many children exited normally.
  static func observe(times: Int) {
    // Initializes static values before other threads exist. If another thread initialized them
    // during a fork, the child would wait forever for that thread, which it doesn't have.
    observe { _ = child.load(ordering: .relaxed) }
    subject.observeNext { _ in }.dispose()
    for _ in 0..<2 { startThread { while true { subject.observeNext { _ in }.dispose() } } }
    reportFinished(times) { observe { fork() } }
  }

  /// Calls `body` in the middle of an observation.
  private static func observe(_ body: @escaping () -> Void) {
    Signal<Int, Never> { observer in
      body()
      observer.receive(1)
      observer.receive(completion: .finished)
      return SimpleDisposable()
    }.observeNext { _ in }.dispose()
  }

  /// Forks inside a leak check while other threads trace. The child completes the check.
  static func check(times: Int) {
    // Initializes static values before other threads exist, like `observe(times:)`.
    try? Trace.expectNoLeaks(scope: .process) { subject.lane("a").observeNext { _ in }.dispose() }
    for _ in 0..<2 {
      startThread { while true { subject.lane("a").observeNext { _ in }.dispose() } }
    }
    reportFinished(times) {
      try? Trace.expectNoLeaks(scope: .process, grace: .zero) { fork() }
    }
  }

  /// Kills a process that writes a log while its child is still running. Prints whether a new log
  /// gets the same path.
  static func outliveParent(_ path: String) {
    var ends: [Int32] = [-1, -1]
    var forked: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, pipe(&forked) == 0 else { return }
    let parent = HostileSituations.fork()
    if parent == 0 {
      try? Trace.start(path)
      subject.lane("a").observeNext { _ in }.dispose()
      if HostileSituations.fork() == 0 {
        // Reports that the fork is complete, then runs until the first process exits.
        var byte: UInt8 = 0
        _ = systemWrite(forked[1], &byte, 1)
        _ = systemClose(ends[1])
        _ = systemRead(ends[0], &byte, 1)
        _exit(0)
      }
      var byte: UInt8 = 0
      _ = systemRead(forked[0], &byte, 1)
      raise(SIGKILL)
    }
    var status: Int32 = 0
    waitpid(parent, &status, 0)
    try? Trace.start(path)
    Modes.report(Trace.path == path ? "free\n" : "taken\n")
    Trace.stop()
  }

  private static func fork() {
    child.store(HostileSituations.fork(), ordering: .relaxed)
  }

  private static func reportFinished(_ times: Int, _ body: () -> Void) {
    var finished = 0
    for _ in 0..<times {
      body()
      let child = child.load(ordering: .relaxed)
      if child == 0 { _exit(0) }
      guard HostileSituations.ends(child) else { break }
      finished += 1
    }
    Modes.report("\(finished)\n")
    exit(0)
  }

  // MARK: A fork handler of the program

  private static let isLocked = Atomic<Bool>(false)
  private static let isForking = Atomic<Bool>(false)
  private static let isReady = Atomic<Bool>(false)

  /// Forks while another thread starts a log under a lock that the program's fork handler needs.
  static func startUnderLock(_ path: String) {
    pthread_atfork(
      {
        ForkSituations.isForking.store(true, ordering: .relaxed)
        ForkSituations.lock()
      }, { ForkSituations.unlock() }, { ForkSituations.unlock() })
    // The recorder registers its handlers after the program's, so they run first.
    _ = Trace.isOn
    startThread {
      lock()
      isReady.store(true, ordering: .relaxed)
      while !isForking.load(ordering: .relaxed) { sched_yield() }
      try? Trace.start(path)
      unlock()
    }
    while !isReady.load(ordering: .relaxed) { sched_yield() }
    let child = HostileSituations.fork()
    if child == 0 { _exit(0) }
    Modes.report(HostileSituations.ends(child) ? "forked\n" : "hung\n")
    Modes.subscription("a")?.completed()
  }

  private static func lock() {
    while isLocked.exchange(true, ordering: .acquiring) { sched_yield() }
  }

  private static func unlock() { isLocked.store(false, ordering: .releasing) }
}
