import Synchronization

/// The base of subjects: delivers what it is sent to those who observe it.
///
/// May be sent to and observed from any thread. An event is delivered to one observer after another, in the order in
/// which they came. An event that is sent while another is being delivered, from another thread or from inside
/// an observer, is delivered after it by the thread that is delivering, so every observer sees the same order. After
/// its terminal event a subject ignores what it is sent.
///
/// A subject that goes away without a terminal event lets go of its observers; they are sent nothing.
///
/// Subclasses override `receive(event:)` and `willAdd(observer:)`. These are called one at a time, also where threads send and
/// observe at once: who comes meanwhile leaves it to the thread that is busy.
open class Subject<Element, Error: Swift.Error>: SubjectProtocol {
  @usableFromInline let core: SubjectCore<Element, Error>
  // Nil where nothing can be overridden.
  private let hooks: SubjectHooks?

  /// Disposed when the subject goes away.
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

  /// Whether a terminal event was sent.
  public var isTerminated: Bool { core.isTerminated || hooks?.isTerminated == true }

  open func on(_ event: Signal<Element, Error>.Event) {
    guard let hooks else { return core.send(event) }
    guard hooks.admits(isTerminal: event.isTerminal) else { return }
    hooks.line.execute { [self] in receive(event: event) }
  }

  /// Delivers an event that the subject was sent before its end. A subclass that overrides this calls it for the events that
  /// are to arrive.
  open func receive(event: Signal<Element, Error>.Event) {
    core.send(event)
  }

  /// Does nothing. A subclass that overrides this may send an observer that is about to be added what came before.
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

  // Through `observe(with:)`, because a subclass may have overridden it; those below override this.
  open func _attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    guard !chain.isDisposed else { return }
    AtomicObserver(observer, chain: chain).attach { observer in
      observe(with: observer.on)
    }
  }
}

/// State of a subject that a client may have subclassed: a queue that runs the overridden methods one at a time.
private final class SubjectHooks {
  private let hasEnded = Atomic<Bool>(false)
  let line = ExecutionContext.nonRecursive()

  var isTerminated: Bool { hasEnded.load(ordering: .acquiring) }

  /// Whether an event comes before the end.
  func admits(isTerminal: Bool) -> Bool {
    isTerminal
      ? !hasEnded.exchange(true, ordering: .acquiringAndReleasing) : !isTerminated
  }
}

extension Subject: BindableProtocol {
  /// Sends the signal's elements, but not its end, to this subject until either goes away.
  public func bind(signal: Signal<Element, Never>) -> any Disposable {
    let disposable = signal.observeNext { [weak self] element in self?.on(.next(element)) }
    disposeBag.add(disposable: disposable)
    return disposable
  }
}
