/// Holds one disposable at a time: setting another disposes the one before it, and disposing this one disposes what it
/// holds and whatever is set later.
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
      let outdated = state.withLock { state in
        if state.isDisposed { return newValue }
        defer { state.other = newValue }
        return state.other
      }
      outdated?.dispose()
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
