/// A bag that disposes its contents when it is disposed or deallocated. You can fill it again after
/// disposal.
public final class DisposeBag: DisposeBagProtocol, Sendable {
  private struct State {
    var parts = DisposableList()
    var deallocated: ReplayOneSubject<Void, Never>?
  }

  private let state = Locked(State())

  public init() {}

  deinit {
    dispose()
    state.withLock { $0.deallocated }?.send(completion: .finished)
  }

  /// A Boolean value that indicates whether the bag is empty.
  public var isDisposed: Bool {
    state.withLock { $0.parts.isEmpty }
  }

  public func add(disposable: any Disposable) {
    guard let sweep = state.withLock({ $0.parts.add(disposable) }) else { return }
    let isDisposed = sweep.findDisposed()
    state.withLock { $0.parts.remove(isDisposed, of: sweep) }
    withExtendedLifetime(sweep) {}
  }

  public func add(disposables: [any Disposable]) {
    for disposable in disposables { add(disposable: disposable) }
  }

  /// Disposes everything in the bag and empties it.
  public func dispose() {
    let parts = state.withLock { $0.parts.takeAll() }
    for part in parts { part.dispose() }
  }

  /// A signal that completes, without an element, when the bag is deallocated.
  public var deallocated: SafeSignal<Void> {
    state.withLock { state in
      if let subject = state.deallocated { return subject }
      let subject = ReplayOneSubject<Void, Never>()
      state.deallocated = subject
      return subject
    }.toSignal()
  }

  public static func += (left: DisposeBag, right: any Disposable) {
    left.add(disposable: right)
  }

  public static func += (left: DisposeBag, right: [any Disposable]) {
    left.add(disposables: right)
  }
}

extension DisposeBag: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", State.self)] }
}
