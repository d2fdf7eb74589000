/// A value that can be observed: observers get the current value first, then each one that is set.
///
/// Reading and setting are safe from any thread. Setting from inside an observer takes effect at once for readers, and
/// reaches the observers after the value that is being delivered. A property completes when it goes away.
public final class Property<Value>: PropertyProtocol, SubjectProtocol, DisposeBagProvider,
  Sendable
{
  public typealias ProperyElement = Value

  @usableFromInline let core: SubjectCore<Value, Never>
  // Only a subject of the user's own takes part in delivery. Subjects may be sent to from any thread.
  @usableFromInline let subject: Transferred<Subject<Value, Never>>?
  @usableFromInline let relay: (any Disposable & Sendable)?

  /// Disposed when the property goes away; bindings to it live here.
  public let bag = DisposeBag()

  public init(_ value: Value) {
    core = SubjectCore(replayLimit: 1, latest: value)
    subject = nil
    relay = nil
  }

  /// A property that sends its values through `subject`, for instance one of a subclass of `Subject`.
  public init(_ value: Value, subject: Subject<Value, Never>) {
    let core = SubjectCore<Value, Never>(replayLimit: 1, latest: value)
    self.core = core
    self.subject = Transferred(subject)
    // Replayed elements are older than the value.
    let isReplay = Local(true)
    relay = subject.observeChain { event in
      if event.isTerminal || !isReplay.value { core.send(event) }
    }
    isReplay.value = false
  }

  deinit {
    on(.completed)
    relay?.dispose()
    // Not by way of the subject alone: it may be delivering, and would complete when the relay is gone.
    core.send(.completed)
  }

  /// The current value. Setting it tells the observers.
  @inlinable
  public var value: Value {
    get {
      guard let value = core.latest else {
        preconditionFailure("A property has a value as long as it lives.")
      }
      return value
    }
    set {
      on(.next(newValue))
    }
  }

  @inlinable
  public func on(_ event: Signal<Value, Never>.Event) {
    guard let subject else { return core.send(event) }
    if case .next(let value) = event { core.setLatestAhead(value) }
    subject.value.on(event)
  }

  @inlinable
  public func observe(with observer: @escaping Observer<Value, Never>) -> any Disposable {
    observeChain(with: observer)
  }

  @inlinable
  public func _attach(_ observer: @escaping Observer<Value, Never>, to chain: ChainDisposable) {
    core.attachReplaying(observer, to: chain)
  }

  /// Sets the value without telling the observers.
  public func silentUpdate(value: Value) {
    core.setLatest(value)
  }

  /// The same property without the means to set it.
  public var readOnlyView: AnyProperty<Value> {
    AnyProperty(property: self)
  }
}

extension Property: BindableProtocol {
  /// Sets the value to each element of the signal until the property goes away.
  public func bind(signal: Signal<Value, Never>) -> any Disposable {
    let disposable = signal.observeNext { [weak self] value in self?.value = value }
    bag.add(disposable: disposable)
    return disposable
  }
}
