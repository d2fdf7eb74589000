import SystemLibrary

/// Runs `body` on a new thread of the system.
///
/// Work that must run at the same time as other work needs this: a pool (Dispatch, Swift
/// concurrency) has only as many threads as the machine has cores. The thread leaves signals to the
/// main thread, except those that a fault raises.
///
/// - Parameter stackSize: The size in bytes, or nil for the default of the system.
package func startThread(stackSize: Int? = nil, _ body: @escaping () -> Void) {
  _ = makeThread(PTHREAD_CREATE_DETACHED, stackSize, body)
}

/// Runs `body` on a new thread of the system, and returns after that thread has ended.
///
/// What the body leaves behind on the stack is more than 16 KB away from the start of the stack, so
/// the system takes it back.
package func runOnEndedThread(_ body: @escaping () -> Void) {
  let thread = makeThread(PTHREAD_CREATE_JOINABLE, nil) { runDeep(1000, body) }
  pthread_join(thread, nil)
}

@inline(never)
private func runDeep(_ left: Int, _ body: () -> Void) {
  guard left > 0 else { return body() }
  runDeep(left - 1, body)
}

private func makeThread(
  _ kind: some BinaryInteger, _ stackSize: Int?, _ body: @escaping () -> Void
) -> pthread_t {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, CInt(kind))
  if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
  let work = Unmanaged.passRetained(Work(body)).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(&thread, &attributes, { Work.run($0) }, work)
  #else
    var started = pthread_t()
    let code = pthread_create(&started, &attributes, { Work.run($0) }, work)
    let thread: pthread_t? = started
  #endif
  guard code == 0, let thread else {
    preconditionFailure("no thread could be started: \(String(cString: strerror(code)))")
  }
  return thread
}

/// Runs `body` on `count` new threads at the same time, with a number from 0, and returns after all
/// have returned.
package func runOnThreads(_ count: Int, _ body: @escaping (Int) -> Void) {
  let done = Countdown(count)
  for number in 0..<count {
    startThread {
      body(number)
      done.signal()
    }
  }
  done.wait()
}

/// A closure that is passed to a thread.
private final class Work {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) {
    self.body = body
  }

  static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let pointer else { return nil }
    let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
    var signals = sigset_t()
    sigfillset(&signals)
    for fault in [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, SIGPIPE] {
      sigdelset(&signals, fault)
    }
    pthread_sigmask(SIG_SETMASK, &signals, nil)
    work.body()
    return nil
  }
}

/// A latch: one thread waits until others have signaled it a number of times.
private final class Countdown {
  // Allocated separately, because threads use the lock at the same time, which Swift's exclusivity
  // rules don't allow for a property.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var rest: Int

  init(_ count: Int) {
    rest = count
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func signal() {
    pthread_mutex_lock(mutex)
    rest -= 1
    if rest == 0 { pthread_cond_signal(condition) }
    pthread_mutex_unlock(mutex)
  }

  func wait() {
    pthread_mutex_lock(mutex)
    while rest > 0 { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }
}
