public import Dispatch

extension DispatchQueue: TimedScheduler {
  public func schedule(_ action: @escaping () -> Void) {
    let action = Transferred(action)
    async { action.value() }
  }

  public var now: UInt64 {
    DispatchTime.now().uptimeNanoseconds
  }

  public func schedule(after delay: UInt64, _ action: @escaping () -> Void) -> any Disposable {
    let scheduled = Transferred(ScheduledAction(action))
    // A 32-bit `Int` holds only two seconds in nanoseconds.
    let interval =
      Int(exactly: delay).map { DispatchTimeInterval.nanoseconds($0) }
      ?? .milliseconds(Int(clamping: delay / 1_000_000 + 1))
    let deadline = DispatchTime.now() + interval
    asyncAfter(deadline: deadline) { scheduled.value.run() }
    return scheduled.value
  }

  /// Runs a block after `seconds`, unless the result is disposed first.
  public func disposableAfter(
    when seconds: Double, block: @escaping () -> Void
  ) -> any Disposable {
    schedule(after: nanoseconds(seconds), block)
  }

  /// An execution context that runs its work on this queue.
  public var context: ExecutionContext {
    ExecutionContext { self.schedule($0) }
  }
}

/// Work that runs at most once. The work is freed as soon as it has run or is canceled, no matter
/// how long the queue keeps the timer.
final class ScheduledAction: Disposable, Sendable {
  // Swift 6.2 can't optimize a lock with a function.
  fileprivate struct Action { let call: () -> Void }
  private let action: Locked<Action?>

  init(_ action: @escaping () -> Void) {
    self.action = Locked(Action(call: action))
  }

  func run() {
    action.withLock { $0.take() }?.call()
  }

  func dispose() {
    let action = action.withLock { $0.take() }
    withExtendedLifetime(action) {}
  }

  var isDisposed: Bool { action.withLock { $0 == nil } }
}

extension ScheduledAction: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("action", Action?.self)] }
}
