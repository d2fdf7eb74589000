/// Disposes several disposables together. What is added after that is disposed at once.
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
    var state = State()
    for disposable in disposables { state.parts.add(disposable) }
    self.state = Locked(state)
  }

  public var isDisposed: Bool {
    state.withLock { $0.isDisposed }
  }

  public func add(disposable: any Disposable) {
    let isLate = state.withLock { state in
      if !state.isDisposed { state.parts.add(disposable) }
      return state.isDisposed
    }
    if isLate { disposable.dispose() }
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
