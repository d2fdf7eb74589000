extension SignalProtocol {
  /// Shares one observation by way of a subject; it starts with `connect()`.
  public func multicast(subject: Subject<Element, Error>) -> ConnectableSignal<Self> {
    ConnectableSignal(source: self, subject: subject)
  }

  /// Shares one observation by way of the subject that the closure makes; it starts with `connect()`.
  public func multicast(_ makeSubject: () -> Subject<Element, Error>) -> ConnectableSignal<Self> {
    multicast(subject: makeSubject())
  }

  /// Shares one observation; observers get what is sent from then on.
  public func publish() -> ConnectableSignal<Self> {
    multicast(subject: PassthroughSubject())
  }

  /// Shares one observation; observers get the latest elements, at most `limit`, first.
  public func replay(limit: Int = Int.max) -> ConnectableSignal<Self> {
    switch limit {
    case ...0: publish()
    case 1: multicast(subject: ReplayOneSubject())
    default: multicast(subject: ReplaySubject(bufferSize: limit))
    }
  }
}
