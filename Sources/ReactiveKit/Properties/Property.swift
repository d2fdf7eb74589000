/// A type with a current value.
public protocol PropertyProtocol {
  associatedtype ProperyElement

  var value: ProperyElement { get }
}

/// A value that can be observed. Observers receive the current value first, then each value that is
/// set.
///
/// Reading and setting are safe on any thread. When an observer sets the value, readers see the new
/// value immediately. The observers receive it after the value that is being delivered. A property
/// completes when it is deallocated.
public final class Property<Value>: PropertyProtocol, SubjectProtocol, DisposeBagProvider,
  Sendable
{
  public typealias ProperyElement = Value

  @usableFromInline let core: SubjectCore<Value, Never>
  // Nil unless the user passes a subject, because only the user's own subject takes part in
  // delivery. `Transferred` is safe because any thread may send to a subject.
  @usableFromInline let subject: Transferred<Subject<Value, Never>>?
  @usableFromInline let relay: (any Disposable & Sendable)?

  /// A bag that is disposed when the property is deallocated. It holds the bindings to the
  /// property.
  public let bag = DisposeBag()

  public init(_ value: Value) {
    core = SubjectCore(replayLimit: 1, latest: value)
    subject = nil
    relay = nil
  }

  /// Creates a property that sends its values through `subject`, for example an instance of a
  /// `Subject` subclass.
  public init(_ value: Value, subject: Subject<Value, Never>) {
    let core = SubjectCore<Value, Never>(replayLimit: 1, latest: value)
    self.core = core
    self.subject = Transferred(subject)
    // Values that the subject replays are older than the property's value.
    let isReplay = UncheckedBox(true)
    relay = subject.observeChain { event in
      if event.isTerminal || !isReplay.value { core.send(event) }
    }
    isReplay.value = false
  }

  deinit {
    on(.completed)
    relay?.dispose()
    // The subject alone isn't enough: if it is delivering, it completes after the relay is
    // deallocated.
    core.send(.completed)
  }

  /// The current value. Setting it notifies the observers.
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

  /// Sets the value without notifying the observers.
  public func silentUpdate(value: Value) {
    core.setLatest(value)
  }

  /// A read-only view of this property.
  public var readOnlyView: AnyProperty<Value> {
    AnyProperty(property: self)
  }
}

extension Property: BindableProtocol {
  /// Sets the value to each element of the signal until the property is deallocated.
  public func bind(signal: Signal<Value, Never>) -> any Disposable {
    let disposable = signal.observeNext { [weak self] value in self?.value = value }
    bag.add(disposable: disposable)
    return disposable
  }
}
