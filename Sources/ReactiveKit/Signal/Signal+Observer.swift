extension Signal {
  /// A signal and the observer that feeds it: what the observer is sent goes to whoever observes the signal then.
  public static func withObserver()
    -> (signal: Signal<Element, Error>, observer: AnyObserver<Element, Error>)
  {
    let subject = PassthroughSubject<Element, Error>()
    return (subject.toSignal(), AnyObserver(observer: subject.on))
  }

  /// Takes over a closure that others call: it goes on doing what it did, and then sends its argument here.
  ///
  ///     let taps = SafeSignal(takingOver: &button.onTap)
  public init(takingOver closure: inout (Element) -> Void) {
    let subject = PassthroughSubject<Element, Error>()
    let original = closure
    closure = { element in
      original(element)
      subject.send(element)
    }
    self = subject.toSignal()
  }

  /// Takes over a closure that others call, where there is one; else makes one.
  public init(takingOver closure: inout ((Element) -> Void)?) {
    let subject = PassthroughSubject<Element, Error>()
    let original = closure
    closure = { element in
      original?(element)
      subject.send(element)
    }
    self = subject.toSignal()
  }
}

extension Signal where Element == Void {
  /// Takes over a closure without an argument that others call.
  public init(takingOver closure: inout () -> Void) {
    let subject = PassthroughSubject<Void, Error>()
    let original = closure
    closure = {
      original()
      subject.send(())
    }
    self = subject.toSignal()
  }
}
