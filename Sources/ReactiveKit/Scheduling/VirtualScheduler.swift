/// A scheduler for tests of code that waits. Its time moves only when the test moves it.
///
/// Work that is due runs on the thread that calls `advance` or `run`, in the order of its time.
/// Work with equal times runs in the order in which it was scheduled.
public final class VirtualScheduler: TimedScheduler, Sendable {
  private struct Entry {
    let due: UInt64
    let action: ScheduledAction
  }

  private struct State {
    var now: UInt64 = 0
    // Sorted by time. Entries with equal times keep the order in which they came.
    var entries: [Entry] = []
  }

  private let state = Locked(State())

  public init() {}

  /// The number of nanoseconds of virtual time since the scheduler was created.
  public var now: UInt64 {
    state.withLock { $0.now }
  }

  /// The number of scheduled actions that have neither run nor been canceled.
  public var pendingCount: Int {
    state.withLock { $0.entries }.count { !$0.action.isDisposed }
  }

  public func schedule(_ action: @escaping () -> Void) {
    _ = schedule(after: 0, action)
  }

  public func schedule(after delay: UInt64, _ action: @escaping () -> Void) -> any Disposable {
    let action = ScheduledAction(action)
    state.withLock { state in
      let entry = Entry(due: later(state.now, by: delay), action: action)
      let index = state.entries.lastIndex { $0.due <= entry.due }.map { $0 + 1 } ?? 0
      state.entries.insert(entry, at: index)
    }
    return action
  }

  /// Moves time forward and runs the work that becomes due, including work that this work schedules
  /// within the time range.
  public func advance(by seconds: Double) {
    advance(to: later(now, by: nanoseconds(seconds)))
  }

  /// Moves time forward to `time`, in nanoseconds, and runs the work that becomes due.
  public func advance(to time: UInt64) {
    while let entry = takeNext(dueBy: time) { entry.action.run() }
    state.withLock { $0.now = max($0.now, time) }
  }

  /// Runs all scheduled work, including the work that it schedules, and moves time as far as
  /// necessary.
  public func run() {
    while let entry = takeNext(dueBy: .max) { entry.action.run() }
  }

  private func takeNext(dueBy time: UInt64) -> Entry? {
    state.withLock { state in
      state.entries.removeAll { $0.action.isDisposed }
      guard let first = state.entries.first, first.due <= time else { return nil }
      state.now = max(state.now, first.due)
      return state.entries.removeFirst()
    }
  }
}

extension VirtualScheduler: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", State.self)] }
}
