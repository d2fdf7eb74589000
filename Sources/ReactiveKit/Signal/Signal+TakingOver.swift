// A closure does not say how a signal of its calls could fail: where nothing else does, it cannot.
extension Signal where Error == Never {
  /// Takes over a closure that others call: it goes on doing what it did, and then sends its argument here.
  ///
  ///     let taps = Signal(takingOver: &button.onTap)
  public init(takingOver closure: inout (Element) -> Void) {
    self = .taking(over: &closure)
  }

  /// Takes over a closure that others call, where there is one; else makes one.
  public init(takingOver closure: inout ((Element) -> Void)?) {
    self = .taking(over: &closure)
  }
}

extension Signal where Element == Void, Error == Never {
  /// Takes over a closure without an argument that others call.
  public init(takingOver closure: inout () -> Void) {
    self = .taking(over: &closure)
  }

  /// Takes over a closure without an argument that others call, where there is one; else makes one.
  public init(takingOver closure: inout (() -> Void)?) {
    self = .taking(over: &closure)
  }
}

extension Signal {
  /// Takes over a closure that others call, for a signal of a type that can fail.
  @_disfavoredOverload
  public init(takingOver closure: inout (Element) -> Void) {
    self = .taking(over: &closure)
  }

  /// Takes over a closure that others call, where there is one, for a signal of a type that can fail.
  @_disfavoredOverload
  public init(takingOver closure: inout ((Element) -> Void)?) {
    self = .taking(over: &closure)
  }

  fileprivate static func taking(over closure: inout (Element) -> Void) -> Signal<Element, Error> {
    let subject = PassthroughSubject<Element, Error>()
    let original = closure
    closure = { element in
      original(element)
      subject.send(element)
    }
    return subject.toSignal()
  }

  fileprivate static func taking(
    over closure: inout ((Element) -> Void)?
  ) -> Signal<Element, Error> {
    var taken = closure ?? { _ in }
    defer { closure = taken }
    return taking(over: &taken)
  }
}

extension Signal where Element == Void {
  /// Takes over a closure without an argument that others call, for a signal of a type that can fail.
  @_disfavoredOverload
  public init(takingOver closure: inout () -> Void) {
    self = .taking(over: &closure)
  }

  /// Takes over a closure without an argument that others call, where there is one, for a signal of a type that can fail.
  @_disfavoredOverload
  public init(takingOver closure: inout (() -> Void)?) {
    self = .taking(over: &closure)
  }

  fileprivate static func taking(over closure: inout () -> Void) -> Signal<Element, Error> {
    let subject = PassthroughSubject<Element, Error>()
    let original = closure
    closure = {
      original()
      subject.send(())
    }
    return subject.toSignal()
  }

  fileprivate static func taking(over closure: inout (() -> Void)?) -> Signal<Element, Error> {
    var taken = closure ?? {}
    defer { closure = taken }
    return taking(over: &taken)
  }
}
