/// A property whose value is loaded when it is first observed.
public final class LoadingProperty<LoadingValue, LoadingError: Swift.Error>: PropertyProtocol,
  SignalProtocol, DisposeBagProvider, Sendable
{
  public typealias Element = LoadingState<LoadingValue, LoadingError>
  public typealias Error = Never
  public typealias ProperyElement = LoadingValue?

  private let makeSignal: Transferred<() -> LoadingSignal<LoadingValue, LoadingError>>
  private let state: Property<Element>
  private let hasStarted = Locked(false)

  /// Disposed when the property goes away; what it loads by itself lives here.
  public let bag = DisposeBag()

  /// `makeSignal` is called for each time of loading, on the thread that observes or reloads.
  public init(_ makeSignal: @escaping () -> LoadingSignal<LoadingValue, LoadingError>) {
    self.makeSignal = Transferred(makeSignal)
    state = Property(.loading)
  }

  /// The value where it is loaded. Setting a value counts as loading it; setting nil as loading.
  public var value: LoadingValue? {
    get { state.value.value }
    set { state.value = newValue.map { .loaded($0) } ?? .loading }
  }

  public var loadingState: LoadingState<LoadingValue, LoadingError> {
    get { state.value }
    set { state.value = newValue }
  }

  /// Loads again each time the result is observed, and sends how that goes.
  ///
  /// Silently: observers of the property go on seeing the old value until the new one is there, and do not see a failure.
  public func reload(silently: Bool = true) -> LoadingSignal<LoadingValue, LoadingError> {
    let makeSignal = makeSignal
    return Signal(source: { [weak self] observer, chain in
      makeSignal.value()._attach(
        { event in
          if case .next(let newState) = event, let self {
            self.hasStarted.withLock { $0 = true }
            if !silently || newState.value != nil { self.state.value = newState }
            if chain.isDisposed { return }
          }
          observer(event)
        }, to: chain)
    })
  }

  public func observe(with observer: @escaping Observer<Element, Never>) -> any Disposable {
    load()
    return state.observe(with: observer)
  }

  public func _attach(_ observer: @escaping Observer<Element, Never>, to chain: ChainDisposable) {
    load()
    state._attach(observer, to: chain)
  }

  private func load() {
    let isFirst = hasStarted.withLock { hasStarted in
      defer { hasStarted = true }
      return !hasStarted && state.value.isLoading
    }
    guard isFirst else { return }
    bag.add(disposable: reload(silently: false).observeCompleted {})
  }
}
