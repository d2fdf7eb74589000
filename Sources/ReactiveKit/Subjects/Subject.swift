/// The base of subjects: delivers what it is sent to those who observe it.
///
/// May be sent to and observed from any thread. An event is delivered to one observer after another, in the order in
/// which they came. An event that is sent while another is being delivered, from another thread or from inside
/// an observer, is delivered after it by the thread that is delivering, so every observer sees the same order. After
/// its terminal event a subject ignores what it is sent.
///
/// A subject that goes away without a terminal event lets go of its observers; they are sent nothing.
open class Subject<Element, Error: Swift.Error>: SubjectProtocol {
  @usableFromInline let core: SubjectCore<Element, Error>

  /// Disposed when the subject goes away.
  public let disposeBag = DisposeBag()

  public init() {
    core = SubjectCore(replayLimit: 0)
  }

  @usableFromInline
  init(core: SubjectCore<Element, Error>) {
    self.core = core
  }

  deinit {
    core.close()
  }

  /// Whether a terminal event was sent.
  public var isTerminated: Bool { core.isTerminated }

  @inlinable
  open func on(_ event: Signal<Element, Error>.Event) {
    core.send(event)
  }

  @inlinable
  open func observe(with observer: @escaping Observer<Element, Error>) -> any Disposable {
    let chain = ChainDisposable()
    core.attach(
      { event in
        observer(event)
        if event.isTerminal { chain.dispose() }
      }, to: chain)
    return chain
  }

  // Through `observe(with:)`, because a subclass may have overridden it; those below override this.
  @inlinable
  open func _attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    AtomicObserver(observer, chain: chain).attach { observer in
      observe(with: observer.on)
    }
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
