/// A signal that starts its work when you connect it, not when it is observed.
public protocol ConnectableSignalProtocol<Element, Error>: SignalProtocol {
  /// Starts the work. Disposing the result stops it.
  func connect() -> any Disposable
}

/// A signal that shares one subscription to a source among all its observers through a subject.
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

  /// Starts the work with a chain that the caller creates and disposes.
  func connect(_ chain: ChainDisposable) {
    // A terminated subject drops all events, so there is nothing to connect.
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
