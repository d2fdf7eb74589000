import BlockingCalls
import SystemLibrary
import TestThreads

/// Threads that hang, for tests that read them from another process.
enum LockedThreads {
  nonisolated(unsafe) private static var first = pthread_mutex_t()
  nonisolated(unsafe) private static var second = pthread_mutex_t()
  nonisolated(unsafe) private static var number = 1

  /// Takes two locks in a different order on two threads, and waits to be killed.
  static func waitForEachOther() {
    pthread_mutex_init(&first, nil)
    pthread_mutex_init(&second, nil)
    pthread_mutex_lock(&first)
    startThread {
      pthread_mutex_lock(&second)
      Modes.report("started\n")
      takeFirst()
    }
    takeSecond()
  }

  @inline(never)
  private static func takeFirst() {
    pthread_mutex_lock(&first)
    Modes.report("first\n")
  }

  @inline(never)
  private static func takeSecond() {
    // The other thread needs this lock only for a moment before it waits.
    while pthread_mutex_trylock(&second) == 0 {
      pthread_mutex_unlock(&second)
      sched_yield()
    }
    pthread_mutex_lock(&second)
    Modes.report("second\n")
  }

  /// Computes something without an end.
  static func runForever() {
    Modes.report("started\n")
    while number != 0 { number = number &* 3 | 1 }
  }

  #if os(Linux)
    /// Makes blocking system calls, and prints what they return.
    static func makeBlockingCalls(named name: String?) {
      if !blocking_calls_make(name) { exit(1) }
    }

    /// Writes to a pipe that is drained, and prints how many calls have written only a part.
    static func writeToDrainedPipe() {
      Modes.report("\(blocking_calls_write_drained()) incomplete writes\n")
    }

    /// Waits for a signal that doesn't come, again and again for a millisecond. If a wait fails for
    /// another reason, for example because its thread was stopped, the process ends with an error.
    static func waitForSignals() {
      for _ in 0..<3 { startThread { waitForSignalsOnThread() } }
      Modes.report("started\n")
      waitForSignalsOnThread()
    }

    private static func waitForSignalsOnThread() {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGUSR2)
      var time = timespec(tv_sec: 0, tv_nsec: 1_000_000)
      // Some work in between makes it likely that the thread is stopped as it begins to wait.
      while sigtimedwait(&signals, nil, &time) == -1, errno == EAGAIN {
        for _ in 0..<2000 { number = number &* 3 | 1 }
      }
      _exit(1)
    }
  #endif
}
