import Dispatch
import Synchronization
package import Testing

/// Carries a value to other threads on the word of the test, which says by what it does that the value can stand it.
package struct Unchecked<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }
}

/// Runs `body` on `count` threads at the same time, and returns when all are done.
///
/// The threads wait for each other before they begin. A test whose threads get stuck fails.
package func onThreads(
  _ count: Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: @escaping (Int) -> Void
) {
  let body = Unchecked(body)
  let group = DispatchGroup()
  let line = StartingLine(count)
  for number in 0..<count {
    // A queue of its own each: serial queues get a thread even where the pool has none to spare.
    DispatchQueue(label: "test.thread.\(number)").async(group: group) {
      line.wait()
      body.value(number)
    }
  }
  if group.wait(timeout: .now() + 600) == .timedOut {
    Issue.record("threads are stuck", sourceLocation: sourceLocation)
    fatalError("threads are stuck: \(sourceLocation)")
  }
}

/// Runs `body` on another thread, waits until it is done, and says whether it was done in time.
package func onAnotherThread(_ body: @escaping () -> Void) -> Bool {
  let body = Unchecked(body)
  let done = DispatchSemaphore(value: 0)
  DispatchQueue(label: "test.other").async {
    body.value()
    done.signal()
  }
  return done.wait(timeout: .now() + 600) == .success
}

/// Where threads wait until all have come.
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

  /// Returns when the flag was raised, or false after a time that no working test takes.
  @discardableResult
  package func wait() -> Bool {
    guard semaphore.wait(timeout: .now() + 600) == .success else { return false }
    semaphore.signal()
    return true
  }
}
