import Foundation
import Synchronization
import TestThreads
package import Testing

/// A box that carries a value to other threads without checks. The test guarantees by its design
/// that this is safe for the value.
package struct Unchecked<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }
}

/// Runs `body` on `count` threads at the same time, and returns when all are done.
///
/// The threads wait for each other before they begin. A test whose threads get stuck ends the test
/// run, and the message contains the location of the call.
package func onThreads(
  _ count: Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: @escaping (Int) -> Void
) {
  let body = Unchecked(body)
  let group = DispatchGroup()
  let line = StartingLine(count)
  for number in 0..<count {
    group.enter()
    startThread {
      line.wait()
      body.value(number)
      group.leave()
    }
  }
  if group.wait(timeout: .now() + hangLimit) == .timedOut {
    fatalError("threads are stuck: \(sourceLocation)")
  }
}

/// Runs `body` on another thread, waits until it is done, and reports whether it was done in time.
package func onAnotherThread(stackSize: Int? = nil, _ body: @escaping () -> Void) -> Bool {
  let body = Unchecked(body)
  let done = DispatchSemaphore(value: 0)
  startThread(stackSize: stackSize) {
    body.value()
    done.signal()
  }
  return done.wait(timeout: .now() + hangLimit) == .success
}

/// The maximum number of seconds that a working test waits for anything, however slow the machine.
package let hangLimit = 300.0

/// Gives the processor to another thread.
package func yieldThread() {
  sched_yield()
}

/// A starting line where threads wait until all have arrived.
private final class StartingLine: Sendable {
  private let missing: Atomic<Int>

  init(_ count: Int) {
    missing = Atomic(count)
  }

  func wait() {
    missing.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 { yieldThread() }
  }
}

/// A flag that one thread raises and others wait for.
package final class Flag: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func raise() {
    semaphore.signal()
  }

  /// Waits until the flag is raised. Returns false after `hangLimit` seconds, a time that no
  /// working test takes.
  @discardableResult
  package func wait() -> Bool {
    guard semaphore.wait(timeout: .now() + hangLimit) == .success else { return false }
    semaphore.signal()
    return true
  }
}
