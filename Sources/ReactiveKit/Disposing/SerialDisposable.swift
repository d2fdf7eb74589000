/// A disposable that holds one disposable at a time. Disposing it disposes the disposable that it
/// holds and every disposable that is set later.
///
/// Setting a new disposable releases the previous one without disposing it, as in ReactiveKit 3. If
/// a signal ends while it is being observed, the result of `observe` can therefore replace a
/// disposable that the signal's end has set here.
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
      // Freed outside the lock, because a disposable can run disposal code when it is freed.
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

extension SerialDisposable: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", State.self)] }
}
