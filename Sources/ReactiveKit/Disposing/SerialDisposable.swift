/// Holds one disposable at a time: disposing this one disposes what it holds and whatever is set later.
///
/// Setting another lets go of the one before it without disposing it, as ReactiveKit 3 does: where a signal ends while it
/// is being observed, what its end has put here may be replaced by what `observe` returns.
public final class SerialDisposable: Disposable, Sendable {
  private struct State {
    var isDisposed = false
    var other: (any Disposable)?
  }

  private let state: Locked<State>

  public init(otherDisposable: (any Disposable)?) {
    state = Locked(State(other: otherDisposable))
  }

  public var isDisposed: Bool {
    state.withLock { $0.isDisposed }
  }

  public var otherDisposable: (any Disposable)? {
    get { state.withLock { $0.other } }
    set {
      let (isLate, outdated) = state.withLock { state in
        if state.isDisposed { return (true, (any Disposable)?.none) }
        defer { state.other = newValue }
        return (false, state.other)
      }
      if isLate { newValue?.dispose() }
      // Freed outside the lock: it may dispose when it goes.
      withExtendedLifetime(outdated) {}
    }
  }

  public func dispose() {
    let other = state.withLock { state in
      state.isDisposed = true
      return state.other.take()
    }
    other?.dispose()
  }
}
