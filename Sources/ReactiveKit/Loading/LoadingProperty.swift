import Synchronization

/// A property whose value is loaded when it is first observed.
///
/// As long as it has neither a value nor an error, an observer that finds nothing being loaded begins to load: also after a
/// reload that was disposed before its end, or that failed silently.
public final class LoadingProperty<LoadingValue, LoadingError: Swift.Error>: PropertyProtocol,
  SignalProtocol, DisposeBagProvider, Sendable
{
  public typealias Element = LoadingState<LoadingValue, LoadingError>
  public typealias Error = Never
  public typealias ProperyElement = LoadingValue?

  private let makeSignal: Transferred<() -> LoadingSignal<LoadingValue, LoadingError>>
  private let state: Property<Element>
  private let loads = LoadCounter()

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

  /// Loads again each time the result is observed, and sends how that goes, `.loading` first.
  ///
  /// Silently: observers of the property go on seeing the old value until the new one is there, and do not see a failure.
  public func reload(silently: Bool = true) -> LoadingSignal<LoadingValue, LoadingError> {
    loading(silently: silently) { [loads] in loads.begin() }
  }

  /// `.loading` of what `makeSignal` makes goes to the result's observer only: it would take the value from the property.
  private func loading(silently: Bool, _ begin: @escaping () -> Load)
    -> LoadingSignal<LoadingValue, LoadingError>
  {
    let makeSignal = makeSignal
    return Signal(source: { [weak self] observer, chain in
      let load = begin()
      chain.attach(load)
      if !silently, let state = self?.state, !state.value.isLoading { state.value = .loading }
      if !chain.isDisposed { observer(.next(.loading)) }
      guard !chain.isDisposed else { return }
      let signal = makeSignal.value()
      guard !chain.isDisposed else { return }
      signal._attach(
        { event in
          switch event {
          case .next(.loaded): self?.state.on(event)
          case .next(.failed): if !silently { self?.state.on(event) }
          case .next(.loading): break
          case .completed: load.end()
          }
          if !chain.isDisposed { observer(event) }
        }, to: chain)
    })
  }

  public func observe(with observer: @escaping Observer<Element, Never>) -> any Disposable {
    observeChain(with: observer)
  }

  public func _attach(_ observer: @escaping Observer<Element, Never>, to chain: ChainDisposable) {
    guard state.value.isLoading, let (load, isFirst) = loads.beginAlone() else {
      return state._attach(observer, to: chain)
    }
    // Asked again: another load may have ended between the two questions.
    guard state.value.isLoading else {
      load.end()
      return state._attach(observer, to: chain)
    }
    // The first observer of all is not shown `.loading` where the value is there at once.
    if isFirst { start(load) }
    state._attach(observer, to: chain)
    if !isFirst { start(load) }
  }

  private func start(_ load: Load) {
    bag.add(disposable: loading(silently: false, { load }).observeCompleted {})
  }
}

/// Knows whether something is being loaded.
private final class LoadCounter: Sendable {
  private struct State {
    var isFirst = true
    var active = 0
  }

  private let state = Locked(State())

  func begin() -> Load {
    state.withLock { state in
      state.isFirst = false
      state.active += 1
    }
    return Load(of: self)
  }

  /// Begins where nothing is being loaded; says whether nothing ever was.
  func beginAlone() -> (Load, isFirst: Bool)? {
    let isFirst = state.withLock { state -> Bool? in
      guard state.active == 0 else { return nil }
      defer { state = State(isFirst: false, active: 1) }
      return state.isFirst
    }
    return isFirst.map { (Load(of: self), $0) }
  }

  fileprivate func end() {
    state.withLock { $0.active -= 1 }
  }
}

/// One time of loading, from its observation to its end.
private final class Load: Detachable, Sendable {
  private let counter: LoadCounter
  private let isOver = Atomic<Bool>(false)

  init(of counter: LoadCounter) {
    self.counter = counter
  }

  func end() {
    if !isOver.exchange(true, ordering: .relaxed) { counter.end() }
  }

  func detach(_ key: Int) {
    end()
  }
}
