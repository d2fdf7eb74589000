extension Signal {
  /// Returns a signal and the observer that feeds it. Events sent to the observer go to the
  /// signal's observers at that time.
  public static func withObserver()
    -> (signal: Signal<Element, Error>, observer: AnyObserver<Element, Error>)
  {
    let subject = PassthroughSubject<Element, Error>()
    return (subject.toSignal(), AnyObserver(observer: subject.on))
  }
}
