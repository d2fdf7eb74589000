import Synchronization

/// A property that loads its value when it is first observed.
///
/// While the property has neither a value nor an error, it loads for its observers in two cases:
///
/// - An observer subscribes and nothing is being loaded.
/// - A reload leaves observers without a value, because it was disposed before its end or failed
///   silently.
///
/// If a load that the property starts itself ends without a value, the property doesn't load again
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
  private let loads = PropertyLoads()

  /// A bag that is disposed when the property is deallocated. It contains the loads that the
  /// property starts itself.
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
  /// arrives, and they don't receive a failure.
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
    switch loads.enter(self, needsLoad: state.value.isLoading) {
    case .observe: state._attach(observer, to: chain)
    case .wait(let key):
      chain.attach(loads, key: key)
      state._attach(observer, to: chain)
    case .load(let key, let isFirst):
      let load = Load(loads.end)
      chain.attach(loads, key: key)
      attach(observer, to: chain, starting: load, isFirst: isFirst)
    }
  }

  private func attach(
    _ observer: @escaping Observer<Element, Never>, to chain: ChainDisposable,
    starting load: Load, isFirst: Bool
  ) {
    // Checked again, because another load can end between the two checks.
    guard state.value.isLoading else {
      load.end()
      return state._attach(observer, to: chain)
    }
    // The very first observer doesn't receive `.loading` if the value is available immediately.
    if isFirst { start(load) }
    if !chain.isDisposed { state._attach(observer, to: chain) }
    if isFirst { return }
    if chain.isDisposed {
      perform(loads.endWithoutValue(isObserved: false))
    } else {
      start(load)
    }
  }

  private func start(_ load: Load) {
    bag.add(disposable: loading(silently: false, { load }).observeCompleted {})
  }

  /// Ends a reload. If it leaves observers without a value, another load takes its place.
  private func endReload() {
    guard state.value.isLoading else { return loads.end() }
    perform(loads.endWithoutValue(isObserved: state.core.isObserved))
  }

  private func perform(_ action: LoadStateMachine.EndAction) {
    switch action {
    case .loadAgain: start(Load(loads.end))
    case .release(let property): withExtendedLifetime(property) {}
    }
  }
}

/// The loads of a property. They keep the property alive for the observers that wait for them.
private final class PropertyLoads: Detachable, Sendable {
  private let state = Locked(LoadStateMachine())

  /// Begins a load. `onEnd` must call `end` or `endWithoutValue`.
  func begin(_ onEnd: @escaping () -> Void) -> Load {
    state.withLock { $0.begin() }
    return Load(onEnd)
  }

  func enter(_ property: AnyObject, needsLoad: Bool) -> LoadStateMachine.EnterAction {
    state.withLock { $0.enter(property, needsLoad: needsLoad) }
  }

  /// Removes the observer with a key.
  func detach(_ key: Int) {
    let property = state.withLock { $0.leave(key) }
    withExtendedLifetime(property) {}
  }

  func end() {
    let property = state.withLock { $0.end() }
    withExtendedLifetime(property) {}
  }

  func endWithoutValue(isObserved: Bool) -> LoadStateMachine.EndAction {
    state.withLock { $0.endWithoutValue(isObserved: isObserved) }
  }
}

/// One load, from its subscription to its end.
private final class Load: Detachable, Sendable {
  private let onEnd: Transferred<() -> Void>
  private let hasEnded = Atomic<Bool>(false)

  init(_ onEnd: @escaping () -> Void) {
    self.onEnd = Transferred(onEnd)
  }

  func end() {
    if !hasEnded.exchange(true, ordering: .relaxed) { onEnd.value() }
  }

  func detach(_ key: Int) {
    end()
  }
}

extension PropertyLoads: StoresValues {
  package static var storedValues: [StoredValue] { [.locked("state", LoadStateMachine.self)] }
}
