extension SignalProtocol {
  /// Returns a signal that shares one subscription through a subject. The subscription starts with
  /// `connect()`.
  public func multicast(subject: Subject<Element, Error>) -> ConnectableSignal<Self> {
    ConnectableSignal(source: self, subject: subject)
  }

  /// Returns a signal that shares one subscription through the subject that the closure creates.
  /// The subscription starts with `connect()`.
  public func multicast(_ makeSubject: () -> Subject<Element, Error>) -> ConnectableSignal<Self> {
    multicast(subject: makeSubject())
  }

  /// Returns a signal that shares one subscription. Observers receive the elements that are sent
  /// after they subscribe.
  public func publish() -> ConnectableSignal<Self> {
    multicast(subject: PassthroughSubject())
  }

  /// Returns a signal that shares one subscription. Observers first receive the latest elements, at
  /// most `limit`.
  public func replay(limit: Int = Int.max) -> ConnectableSignal<Self> {
    switch limit {
    case ...0: publish()
    case 1: multicast(subject: ReplayOneSubject())
    default: multicast(subject: ReplaySubject(bufferSize: limit))
    }
  }
}
