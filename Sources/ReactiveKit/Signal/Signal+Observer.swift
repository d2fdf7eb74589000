extension Signal {
  /// A signal and the observer that feeds it: what the observer is sent goes to whoever observes the signal then.
  public static func withObserver()
    -> (signal: Signal<Element, Error>, observer: AnyObserver<Element, Error>)
  {
    let subject = PassthroughSubject<Element, Error>()
    return (subject.toSignal(), AnyObserver(observer: subject.on))
  }
}
