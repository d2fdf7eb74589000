import Synchronization

/// The base class of subjects. A subject delivers the events sent to it to its observers.
///
/// Any thread may send events and subscribe. The subject delivers an event to one observer after
/// another, in the order in which they subscribed. An event may be sent while another is being
/// delivered, from another thread or from inside an observer. The delivering thread delivers it
/// afterward, so every observer sees the same order. After its terminal event, a subject ignores
/// further events.
///
/// A subject that is deallocated without a terminal event releases its observers and sends them
/// nothing.
///
/// Subclasses override `receive(event:)` and `willAdd(observer:)`. The subject calls these one at a
/// time, even if several threads send and subscribe. A thread that arrives in the meantime leaves
/// its call to the busy thread.
open class Subject<Element, Error: Swift.Error>: SubjectProtocol {
  @usableFromInline let core: SubjectCore<Element, Error>
  // Nil if nothing can be overridden.
  private let hooks: SubjectHooks?

  /// A bag that is disposed when the subject is deallocated.
  public let disposeBag = DisposeBag()

  public init() {
    core = SubjectCore(replayLimit: 0)
    hooks = SubjectHooks()
  }

  @usableFromInline
  init(core: SubjectCore<Element, Error>) {
    self.core = core
    hooks = nil
  }

  deinit {
    core.close()
  }

  /// A Boolean value that indicates whether a terminal event was sent.
  public var isTerminated: Bool { core.isTerminated || hooks?.isTerminated == true }

  open func on(_ event: Signal<Element, Error>.Event) {
    guard let hooks else { return core.send(event) }
    guard hooks.admits(isTerminal: event.isTerminal) else { return }
    hooks.line.execute { [self] in receive(event: event) }
  }

  /// Delivers an event. Events sent after the terminal event do not arrive here.
  ///
  /// A subclass that overrides this method calls `super` for the events that observers should get.
  open func receive(event: Signal<Element, Error>.Event) {
    core.send(event)
  }

  /// Does nothing by default. An override may send earlier events to an observer that is about to
  /// be added.
  open func willAdd(observer: @escaping Observer<Element, Error>) {}

  open func observe(with observer: @escaping Observer<Element, Error>) -> any Disposable {
    let chain = ChainDisposable()
    let end: Observer<Element, Error> = { event in
      guard !chain.isDisposed else { return }
      observer(event)
      if event.isTerminal { chain.dispose() }
    }
    guard let hooks else {
      core.attach(end, to: chain)
      return chain
    }
    hooks.line.execute { [self] in
      if !chain.isDisposed { willAdd(observer: end) }
      if !chain.isDisposed { core.attach(end, to: chain) }
    }
    return chain
  }

  // Goes through `observe(with:)` because a subclass may have overridden it. The subclasses in this
  // module override `_attach`.
  open func _attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    guard !chain.isDisposed else { return }
    AtomicObserver(observer, chain: chain).attach { observer in
      observe(with: observer.on)
    }
  }
}

/// The state of a subject whose class may be defined by a client: a queue for calls of the
/// overridden methods.
private final class SubjectHooks {
  private let hasEnded = Atomic<Bool>(false)
  let line = ExecutionContext.nonRecursive()

  var isTerminated: Bool { hasEnded.load(ordering: .acquiring) }

  /// Reports whether an event comes before the end of the subject.
  func admits(isTerminal: Bool) -> Bool {
    isTerminal
      ? !hasEnded.exchange(true, ordering: .acquiringAndReleasing) : !isTerminated
  }
}
