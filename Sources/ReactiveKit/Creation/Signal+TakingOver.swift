// The type of a closure doesn't determine the error type of a signal of its calls. By default, the
// signal can't fail.
extension Signal where Error == Never {
  /// Creates a signal that takes over a closure. From then on, calling the closure sends its
  /// argument as an element and no longer runs the original code.
  ///
  ///     let taps = Signal(takingOver: &button.onTap)
  public init(takingOver closure: inout (Element) -> Void) {
    self = .taking(over: &closure)
  }

  /// Creates a signal that takes over an optional closure. Sets a closure if it is nil.
  public init(takingOver closure: inout ((Element) -> Void)?) {
    self = .taking(over: &closure)
  }
}

extension Signal where Element == Void, Error == Never {
  /// Creates a signal that takes over a closure without an argument.
  public init(takingOver closure: inout () -> Void) {
    self = .taking(over: &closure)
  }

  /// Creates a signal that takes over an optional closure without an argument. Sets a closure if it
  /// is nil.
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

  /// Creates a signal that takes over an optional closure, for a signal type that can fail. Sets a
  /// closure if it is nil.
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

  /// Creates a signal that takes over an optional closure without an argument, for a signal type
  /// that can fail. Sets a closure if it is nil.
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
