/// A disposable that disposes several disposables together. A disposable that is added after that
/// is disposed immediately.
public final class CompositeDisposable: Disposable, Sendable {
  private struct State {
    var isDisposed = false
    var parts = DisposableList()
  }

  private let state: Locked<State>

  public convenience init() {
    self.init([])
  }

  public init(_ disposables: [any Disposable]) {
    state = Locked(State())
    for disposable in disposables { add(disposable: disposable) }
  }

  public var isDisposed: Bool {
    state.withLock { $0.isDisposed }
  }

  public func add(disposable: any Disposable) {
    let (isLate, sweep) = state.withLock { state -> (Bool, DisposableList.Sweep?) in
      state.isDisposed ? (true, nil) : (false, state.parts.add(disposable))
    }
    if isLate { disposable.dispose() }
    guard let sweep else { return }
    let isDisposed = sweep.findDisposed()
    state.withLock { $0.parts.remove(isDisposed, of: sweep) }
    withExtendedLifetime(sweep) {}
  }

  public func dispose() {
    let parts = state.withLock { state in
      state.isDisposed = true
      return state.parts.takeAll()
    }
    for part in parts { part.dispose() }
  }

  public static func += (left: CompositeDisposable, right: any Disposable) {
    left.add(disposable: right)
  }
}

extension CompositeDisposable: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", State.self)] }
}
