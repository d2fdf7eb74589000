import Dispatch
import Foundation

/// Waits for a callback, as the helpers of many packages do.
@inline(never)
func withIdentifiedContinuation<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  _ body: (Int, CheckedContinuation<Value, any Error>) -> Void
) async throws -> Value {
  let number = 7
  return try await withCheckedThrowingContinuation { continuation in
    body(number, continuation)
  }
}

public actor Mailbox {
  private var readers: [Int: CheckedContinuation<String, any Error>] = [:]

  public init() {}

  public func next() async throws -> String {
    try await withIdentifiedContinuation { readers[$0] = $1 }  // culprit: wrapper
  }
}

/// A helper with a name of its own, which says for whom it waits.
@inline(never)
private func suspend(
  function: String = #function, _ body: (CheckedContinuation<Int, Never>) -> Void
) async -> Int {
  await withCheckedContinuation(function: function, body)
}

public final class Printer: @unchecked Sendable {
  private var job: CheckedContinuation<Int, Never>?

  public init() {}

  public func print() async -> Int {
    await suspend { job = $0 }  // culprit: namedHelper
  }
}

/// A continuation that nothing has when its function suspends.
@inline(never)
public func order() async -> Int {
  await withCheckedContinuation { (_: CheckedContinuation<Int, Never>) in }  // culprit: leaked
}

/// A heartbeat with a sleep that optimized programs put into their own functions.
public func heartbeat() async throws -> Int {
  try await Task.sleep(for: .seconds(100_000))  // culprit: sleeping
  return 1
}

public func waitForClock() async throws -> Int {
  let clock = ContinuousClock()
  try await clock.sleep(until: clock.now + .seconds(100_000))  // culprit: clockSleep
  return 1
}

/// Two queues that wait for each other through one helper.
@inline(never)
private func perform<Result>(_ queue: DispatchQueue, _ body: () -> Result) -> Result {
  queue.sync(execute: body)
}

public final class Ledger: Sendable {
  private let debits = DispatchQueue(label: "debits")
  private let credits = DispatchQueue(label: "credits")
  private let both = DispatchSemaphore(value: 0)

  public init() {}

  @inline(never)
  private func debit() -> Int {
    perform(debits) {
      both.wait()
      return perform(credits) { 1 }  // culprit: helperQueues
    }
  }

  @inline(never)
  private func credit() -> Int {
    perform(credits) {
      both.signal()
      return perform(debits) { 1 }  // culprit: helperQueues
    }
  }

  @inline(never)
  public func book() -> Int {
    DispatchQueue.global().async { _ = self.credit() }
    return debit()
  }

  /// A queue waits for another one, which has work that waits for the first one.
  public func settle() -> Int {
    debits.sync {
      let isBooked = DispatchSemaphore(value: 0)
      credits.async {
        isBooked.signal()
        self.debits.sync {}  // culprit: nestedQueues
      }
      isBooked.wait()
      return credits.sync { 1 }  // culprit: nestedQueues
    }
  }
}

@inline(never)
private func guarded<Result>(_ lock: NSLock, _ body: () -> Result) -> Result {
  lock.lock()
  defer { lock.unlock() }
  return body()
}

public final class Warehouse: @unchecked Sendable {
  private let shelves = NSLock()
  private let orders = NSLock()
  private let both = DispatchSemaphore(value: 0)

  public init() {}

  @inline(never)
  private func restock() {
    guarded(orders) {
      both.signal()
      guarded(shelves) {}  // culprit: helperLocks
    }
  }

  @inline(never)
  public func pick() {
    let thread = Thread { self.restock() }
    guarded(shelves) {
      thread.start()
      both.wait()
      guarded(orders) {}  // culprit: helperLocks
    }
  }
}
