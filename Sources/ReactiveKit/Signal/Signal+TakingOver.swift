// A closure does not say how a signal of its calls could fail: where nothing else does, it cannot.
extension Signal where Error == Never {
  /// Takes over a closure that others call: from then on it sends its argument here, in place of what it did.
  ///
  ///     let taps = Signal(takingOver: &button.onTap)
  public init(takingOver closure: inout (Element) -> Void) {
    self = .taking(over: &closure)
  }

  /// Takes over a closure that others call, or makes one where there is none.
  public init(takingOver closure: inout ((Element) -> Void)?) {
    self = .taking(over: &closure)
  }
}

extension Signal where Element == Void, Error == Never {
  /// Takes over a closure without an argument that others call.
  public init(takingOver closure: inout () -> Void) {
    self = .taking(over: &closure)
  }

  /// Takes over a closure without an argument that others call, or makes one where there is none.
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

  /// Takes over a closure that others call, or makes one where there is none, for a signal of a type that can fail.
  @_disfavoredOverload
  public init(takingOver closure: inout ((Element) -> Void)?) {
    self = .taking(over: &closure)
  }

  fileprivate static func taking(over closure: inout (Element) -> Void) -> Signal<Element, Error> {
    let subject = PassthroughSubject<Element, Error>()
    closure = { subject.send($0) }
    return subject.toSignal()
  }

  fileprivate static func taking(
    over closure: inout ((Element) -> Void)?
  ) -> Signal<Element, Error> {
    var taken: (Element) -> Void = { _ in }
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

  /// Takes over a closure without an argument that others call, or makes one where there is none, for a signal of a type that can fail.
  @_disfavoredOverload
  public init(takingOver closure: inout (() -> Void)?) {
    self = .taking(over: &closure)
  }

  fileprivate static func taking(over closure: inout () -> Void) -> Signal<Element, Error> {
    let subject = PassthroughSubject<Element, Error>()
    closure = { subject.send(()) }
    return subject.toSignal()
  }

  fileprivate static func taking(over closure: inout (() -> Void)?) -> Signal<Element, Error> {
    var taken = {}
    defer { closure = taken }
    return taking(over: &taken)
  }
}
