/// A signal that starts its work when it is told to, not when it is observed.
public protocol ConnectableSignalProtocol<Element, Error>: SignalProtocol {
  /// Starts; disposing the result stops.
  func connect() -> any Disposable
}

/// Shares one observation of a source among all its observers, by way of a subject.
public final class ConnectableSignal<Source: SignalProtocol>: ConnectableSignalProtocol {
  public typealias Element = Source.Element
  public typealias Error = Source.Error

  private let source: Source
  private let subject: Subject<Element, Error>

  public init(source: Source, subject: Subject<Element, Error>) {
    self.source = source
    self.subject = subject
  }

  public func connect() -> any Disposable {
    let chain = ChainDisposable()
    connect(chain)
    return chain
  }

  /// Starts, with a chain that the caller has made and disposes.
  func connect(_ chain: ChainDisposable) {
    // Nothing that a terminated subject is sent arrives anywhere.
    guard !subject.isTerminated, !chain.isDisposed else { return }
    Tracing.attach(
      source,
      { [subject] event in
        guard !chain.isDisposed else { return }
        subject.on(event)
        if event.isTerminal { chain.dispose() }
      }, to: chain)
  }

  public func observe(with observer: @escaping Observer<Element, Error>) -> any Disposable {
    subject.observe(with: observer)
  }

  public func _attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    subject._attach(observer, to: chain)
  }
}
