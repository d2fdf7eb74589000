import Synchronization

/// A property whose value is loaded when it is first observed.
///
/// As long as it has neither a value nor an error, it loads for whoever observes it: for an observer that finds nothing being
/// loaded, and for the observers that a reload leaves without a value, because it was disposed before its end, or failed
/// silently. What it loads by itself and ends without a value is not loaded again before the next observer.
///
/// Its observers keep it as long as something is being loaded. After that it completes when it goes away.
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
    loading(silently: silently) { [loads, weak self] in
      loads.begin { if let self { self.endReload() } else { loads.end() } }
    }
  }

  /// `.loading` of what `makeSignal` makes goes to the result's observer only: it would take the value from the property.
  private func loading(silently: Bool, _ begin: @escaping () -> Load)
    -> LoadingSignal<LoadingValue, LoadingError>
  {
    let makeSignal = makeSignal
    return Signal(source: { [weak self] observer, chain in
      let load = begin()
      // Last, so that what it loads with is let go before anything is loaded in its place.
      defer { chain.attach(load) }
      if !silently, let state = self?.state, !state.value.isLoading { state.value = .loading }
      if !chain.isDisposed { observer(.next(.loading)) }
      guard !chain.isDisposed else { return }
      let signal = makeSignal.value()
      signal._attach(
        { event in
          switch event {
          case .next(.loaded): self?.state.on(event)
          case .next(.failed): if !silently { self?.state.on(event) }
          case .next(.loading), .completed: break
          }
          if !chain.isDisposed { observer(event) }
          if event.isTerminal { load.end() }
        }, to: chain)
    })
  }

  public func observe(with observer: @escaping Observer<Element, Never>) -> any Disposable {
    observeChain(with: observer)
  }

  public func _attach(_ observer: @escaping Observer<Element, Never>, to chain: ChainDisposable) {
    guard !chain.isDisposed else { return }
    guard let visit = loads.enter(self, begins: state.value.isLoading) else {
      return state._attach(observer, to: chain)
    }
    chain.attach(loads, key: visit.key)
    guard let load = visit.load else { return state._attach(observer, to: chain) }
    // Asked again: another load may have ended between the two questions.
    guard state.value.isLoading else {
      load.end()
      return state._attach(observer, to: chain)
    }
    // The first observer of all is not shown `.loading` where the value is there at once.
    if visit.isFirst { start(load) }
    if !chain.isDisposed { state._attach(observer, to: chain) }
    if !visit.isFirst, !chain.isDisposed || loads.goesOn(isAwaited: false) { start(load) }
  }

  private func start(_ load: Load) {
    bag.add(disposable: loading(silently: false, { load }).observeCompleted {})
  }

  /// Loads in place of a reload where its end leaves observers without a value.
  private func endReload() {
    guard state.value.isLoading else { return loads.end() }
    if loads.goesOn(isAwaited: state.core.isObserved) { start(Load(loads.end)) }
  }
}

/// Knows whether something is being loaded, and keeps the property for those who wait for it.
private final class LoadCounter: Detachable, Sendable {
  private struct State {
    var isFirst = true
    var active = 0
    // The property, and how many observers came, while something was being loaded.
    var waiting = 0
    var property: AnyObject?
    // Counts how often nothing was being loaded any more.
    var generation = 0
  }

  /// An observer that comes while something is being loaded, or begins to load.
  struct Visit {
    let key: Int
    var load: Load?
    var isFirst = false
  }

  private let state = Locked(State())

  /// Begins to load; `onEnd` is to call `end` or `goesOn`.
  func begin(_ onEnd: @escaping () -> Void) -> Load {
    state.withLock { state in
      state.isFirst = false
      state.active += 1
    }
    return Load(onEnd)
  }

  /// Counts an observer until `detach`, and keeps the property for it, where something is being loaded or the observer
  /// `begins` to.
  func enter(_ property: AnyObject, begins: Bool) -> Visit? {
    let entry = state.withLock { state -> (key: Int, isFirst: Bool?)? in
      let isAlone = state.active == 0
      guard begins || !isAlone else { return nil }
      state.waiting += 1
      state.property = property
      guard isAlone else { return (state.generation, nil) }
      defer { state.isFirst = false }
      state.active = 1
      return (state.generation, state.isFirst)
    }
    guard let entry else { return nil }
    guard let isFirst = entry.isFirst else { return Visit(key: entry.key) }
    return Visit(key: entry.key, load: Load(end), isFirst: isFirst)
  }

  func detach(_ key: Int) {
    let outdated = state.withLock { state -> AnyObject? in
      guard key == state.generation else { return nil }
      state.waiting -= 1
      return state.waiting == 0 ? state.property.take() : nil
    }
    withExtendedLifetime(outdated) {}
  }

  /// Ends one load, unless it is the only one and somebody waits: then it goes on, as another one.
  func goesOn(isAwaited: Bool) -> Bool {
    end { $0.active == 1 && (isAwaited || $0.waiting > 0) }
  }

  func end() {
    _ = end { _ in false }
  }

  /// Answers whether it goes on.
  private func end(unless goesOn: (State) -> Bool) -> Bool {
    let (isOver, outdated) = state.withLock { state -> (Bool, AnyObject?) in
      if goesOn(state) { return (false, nil) }
      state.active -= 1
      guard state.active == 0 else { return (true, nil) }
      state.generation += 1
      state.waiting = 0
      return (true, state.property.take())
    }
    withExtendedLifetime(outdated) {}
    return !isOver
  }
}

/// One time of loading, from its observation to its end.
private final class Load: Detachable, Sendable {
  private let onEnd: Transferred<() -> Void>
  private let isOver = Atomic<Bool>(false)

  init(_ onEnd: @escaping () -> Void) {
    self.onEnd = Transferred(onEnd)
  }

  func end() {
    if !isOver.exchange(true, ordering: .relaxed) { onEnd.value() }
  }

  func detach(_ key: Int) {
    end()
  }
}
