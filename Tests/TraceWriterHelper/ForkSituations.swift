import ReactiveKit
import ReactiveTrace
import Synchronization
import SystemLibrary
import TestThreads

/// Forks while others hold locks.
enum ForkSituations {
  private static let subject = PassthroughSubject<Int, Never>()
  private static let child = Atomic<pid_t>(0)

  /// Forks in the middle of an observation, with which the child goes on, while threads observe. Says how many children came to
  /// their end.
  static func observe(times: Int) {
    // Values that the language makes once are made before there are threads that a child does not have.
    observe { _ = child.load(ordering: .relaxed) }
    subject.observeNext { _ in }.dispose()
    for _ in 0..<2 { startThread { while true { subject.observeNext { _ in }.dispose() } } }
    tellFinished(times) { observe { fork() } }
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

  /// Forks in a leak check, which the child goes on with, while threads trace.
  static func check(times: Int) {
    // Values that the language makes once are made before there are threads that a child does not have.
    try? Trace.expectNoLeaks(scope: .process) { subject.lane("a").observeNext { _ in }.dispose() }
    for _ in 0..<2 {
      startThread { while true { subject.lane("a").observeNext { _ in }.dispose() } }
    }
    tellFinished(times) {
      try? Trace.expectNoLeaks(scope: .process, grace: .zero) { fork() }
    }
  }

  /// A process that writes a log is killed, and its child lives on. Says whether a log with the same path gets that path.
  static func outliveParent(_ path: String) {
    var ends: [Int32] = [-1, -1]
    var forked: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, pipe(&forked) == 0 else { return }
    let parent = HostileSituations.fork()
    if parent == 0 {
      try? Trace.start(path)
      subject.lane("a").observeNext { _ in }.dispose()
      if HostileSituations.fork() == 0 {
        // Lives until the first process is gone, but has been forked to the end before.
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
    Modes.tell(Trace.path == path ? "free\n" : "taken\n")
    Trace.stop()
  }

  private static func fork() {
    child.store(HostileSituations.fork(), ordering: .relaxed)
  }

  private static func tellFinished(_ times: Int, _ body: () -> Void) {
    var finished = 0
    for _ in 0..<times {
      body()
      let child = child.load(ordering: .relaxed)
      if child == 0 { _exit(0) }
      guard HostileSituations.ends(child) else { break }
      finished += 1
    }
    Modes.tell("\(finished)\n")
    exit(0)
  }

  // MARK: A fork handler of the program's

  private static let isLocked = Atomic<Bool>(false)
  private static let isForking = Atomic<Bool>(false)
  private static let isReady = Atomic<Bool>(false)

  /// A thread starts a log under a lock for which the program's fork handler waits.
  static func startUnderLock(_ path: String) {
    pthread_atfork(
      {
        ForkSituations.isForking.store(true, ordering: .relaxed)
        ForkSituations.lock()
      }, { ForkSituations.unlock() }, { ForkSituations.unlock() })
    // The recorder's own handlers come after the program's, and so run before it.
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
    Modes.tell(HostileSituations.ends(child) ? "forked\n" : "hung\n")
    Modes.subscription("a")?.completed()
  }

  private static func lock() {
    while isLocked.exchange(true, ordering: .acquiring) { sched_yield() }
  }

  private static func unlock() { isLocked.store(false, ordering: .releasing) }
}
