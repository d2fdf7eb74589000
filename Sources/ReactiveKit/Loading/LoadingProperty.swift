import Synchronization

/// A property that loads its value when it is first observed.
///
/// While the property has neither a value nor an error, it loads for its observers in two cases:
///
/// - An observer subscribes and nothing is being loaded.
/// - A reload leaves observers without a value, because it was disposed before its end or failed
///   silently.
///
/// If a load that the property starts itself ends without a value, the property does not load again
/// until the next observer subscribes.
///
/// Observers keep the property alive while something is being loaded. After that, the property
/// completes when it is deallocated.
public final class LoadingProperty<LoadingValue, LoadingError: Swift.Error>: PropertyProtocol,
  SignalProtocol, DisposeBagProvider, Sendable
{
  public typealias Element = LoadingState<LoadingValue, LoadingError>
  public typealias Error = Never
  public typealias ProperyElement = LoadingValue?

  private let makeSignal: Transferred<() -> LoadingSignal<LoadingValue, LoadingError>>
  private let state: Property<Element>
  private let loads = LoadCounter()

  /// A bag that is disposed when the property is deallocated. It holds the loads that the property
  /// starts itself.
  public let bag = DisposeBag()

  /// Creates a property that calls `makeSignal` for each load, on the thread that observes or
  /// reloads.
  public init(_ makeSignal: @escaping () -> LoadingSignal<LoadingValue, LoadingError>) {
    self.makeSignal = Transferred(makeSignal)
    state = Property(.loading)
  }

  /// The loaded value, or nil if no value is loaded. Setting a value changes the state to loaded.
  /// Setting nil changes the state to loading.
  public var value: LoadingValue? {
    get { state.value.value }
    set { state.value = newValue.map { .loaded($0) } ?? .loading }
  }

  public var loadingState: LoadingState<LoadingValue, LoadingError> {
    get { state.value }
    set { state.value = newValue }
  }

  /// Returns a signal that loads again each time it is observed. The signal sends the states of
  /// that load, starting with `.loading`.
  ///
  /// If `silently` is true, observers of the property keep the old value until the new value
  /// arrives, and they do not see a failure.
  public func reload(silently: Bool = true) -> LoadingSignal<LoadingValue, LoadingError> {
    loading(silently: silently) { [loads, weak self] in
      loads.begin { if let self { self.endReload() } else { loads.end() } }
    }
  }

  /// Returns a signal that loads each time it is observed. If the signal from `makeSignal` sends
  /// `.loading`, only the observer of the result receives that state, because it would take the
  /// value from the property.
  private func loading(silently: Bool, _ begin: @escaping () -> Load)
    -> LoadingSignal<LoadingValue, LoadingError>
  {
    let makeSignal = makeSignal
    return Signal(source: { [weak self] observer, chain in
      let load = begin()
      // Attached last, so that the resources of this load are released before another load replaces
      // it.
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
    // Checked again, because another load can end between the two checks.
    guard state.value.isLoading else {
      load.end()
      return state._attach(observer, to: chain)
    }
    // The very first observer does not receive `.loading` if the value is available immediately.
    if visit.isFirst { start(load) }
    if !chain.isDisposed { state._attach(observer, to: chain) }
    if !visit.isFirst, !chain.isDisposed || loads.goesOn(isAwaited: false) { start(load) }
  }

  private func start(_ load: Load) {
    bag.add(disposable: loading(silently: false, { load }).observeCompleted {})
  }

  /// Replaces a reload with another load if the end of the reload leaves observers without a value.
  private func endReload() {
    guard state.value.isLoading else { return loads.end() }
    if loads.goesOn(isAwaited: state.core.isObserved) { start(Load(loads.end)) }
  }
}

/// A counter of running loads that keeps the property alive for the observers that wait for them.
private final class LoadCounter: Detachable, Sendable {
  private struct State {
    var isFirst = true
    var active = 0
    // The property, and the number of observers that came while something was being loaded.
    var waiting = 0
    var property: AnyObject?
    // The number of times that the last running load ended.
    var generation = 0
  }

  /// An observer that comes while something is being loaded, or that starts a load.
  struct Visit {
    let key: Int
    var load: Load?
    var isFirst = false
  }

  private let state = Locked(State())

  /// Begins a load. `onEnd` must call `end` or `goesOn`.
  func begin(_ onEnd: @escaping () -> Void) -> Load {
    state.withLock { state in
      state.isFirst = false
      state.active += 1
    }
    return Load(onEnd)
  }

  /// Counts an observer until `detach` and keeps the property alive for it. Returns nil if nothing
  /// is being loaded and the observer does not begin a load.
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

  /// Ends one load, unless it is the only one and an observer waits. In that case, the load goes on
  /// as another one, and the result is true.
  func goesOn(isAwaited: Bool) -> Bool {
    end { $0.active == 1 && (isAwaited || $0.waiting > 0) }
  }

  func end() {
    _ = end { _ in false }
  }

  /// Ends one load unless the closure returns true. Reports whether the load goes on.
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

/// One load, from its subscription to its end.
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

extension LoadCounter: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", State.self)] }
}
