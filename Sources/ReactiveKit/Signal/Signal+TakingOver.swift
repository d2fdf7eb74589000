// A closure does not say how a signal of its calls can fail. If nothing else says so, the signal
// cannot fail.
extension Signal where Error == Never {
  /// Creates a signal that takes over a closure. From then on, calling the closure sends its
  /// argument as an element and no longer runs the original code.
  ///
  ///     let taps = Signal(takingOver: &button.onTap)
  public init(takingOver closure: inout (Element) -> Void) {
    self = .taking(over: &closure)
  }

  /// Creates a signal that takes over a closure, or sets a closure if there is none.
  public init(takingOver closure: inout ((Element) -> Void)?) {
    self = .taking(over: &closure)
  }
}

extension Signal where Element == Void, Error == Never {
  /// Creates a signal that takes over a closure without an argument.
  public init(takingOver closure: inout () -> Void) {
    self = .taking(over: &closure)
  }

  /// Creates a signal that takes over a closure without an argument, or sets a closure if there is
  /// none.
  public init(takingOver closure: inout (() -> Void)?) {
    self = .taking(over: &closure)
  }
}

extension Signal {
  /// Creates a signal that takes over a closure, for a signal type that can fail.
  @_disfavoredOverload
  public init(takingOver closure: inout (Element) -> Void) {
    self = .taking(over: &closure)
  }

  /// Creates a signal that takes over a closure, or sets a closure if there is none, for a signal
  /// type that can fail.
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
  /// Creates a signal that takes over a closure without an argument, for a signal type that can
  /// fail.
  @_disfavoredOverload
  public init(takingOver closure: inout () -> Void) {
    self = .taking(over: &closure)
  }

  /// Creates a signal that takes over a closure without an argument, or sets a closure if there is
  /// none, for a signal type that can fail.
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
