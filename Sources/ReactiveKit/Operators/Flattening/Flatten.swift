extension SignalProtocol where Element: SignalProtocol {
  public typealias InnerElement = Element.Element
}

extension SignalProtocol where Element: SignalProtocol, Element.Error == Error {
  /// Joins the signals that are sent, by the strategy.
  @inlinable
  public func flatten(_ strategy: FlattenStrategy) -> Signal<InnerElement, Error> {
    flatMap(strategy) { $0 }
  }

  /// Sends the elements of the signals that are sent, one signal after another.
  @inlinable
  public func concat() -> Signal<InnerElement, Error> { flatten(.concat) }

  /// Sends the elements of all signals that are sent, as they come.
  @inlinable
  public func merge() -> Signal<InnerElement, Error> { flatten(.merge) }

  /// Sends the elements of the newest of the signals that are sent.
  @inlinable
  public func switchToLatest() -> Signal<InnerElement, Error> { flatten(.latest) }
}

extension SignalProtocol where Element: SignalProtocol, Element.Error == Never {
  /// Joins signals that cannot fail, by the strategy.
  @inlinable
  @_disfavoredOverload
  public func flatten(_ strategy: FlattenStrategy) -> Signal<InnerElement, Error> {
    flatMap(strategy) { $0 }
  }

  /// Sends the elements of signals that cannot fail, one signal after another.
  @inlinable
  @_disfavoredOverload
  public func concat() -> Signal<InnerElement, Error> { flatten(.concat) }

  /// Sends the elements of all signals that are sent, none of which can fail, as they come.
  @inlinable
  @_disfavoredOverload
  public func merge() -> Signal<InnerElement, Error> { flatten(.merge) }

  /// Sends the elements of the newest of the signals that are sent, none of which can fail.
  @inlinable
  @_disfavoredOverload
  public func switchToLatest() -> Signal<InnerElement, Error> { flatten(.latest) }
}

extension SignalProtocol where Element: SignalProtocol, Error == Never {
  /// Joins signals that can fail, sent by one that cannot, by the strategy.
  @inlinable
  @_disfavoredOverload
  public func flatten(_ strategy: FlattenStrategy) -> Signal<InnerElement, Element.Error> {
    flatMap(strategy) { $0 }
  }

  /// Sends the elements of signals that can fail, one signal after another.
  @inlinable
  @_disfavoredOverload
  public func concat() -> Signal<InnerElement, Element.Error> { flatten(.concat) }

  /// Sends the elements of all signals that are sent, each of which can fail, as they come.
  @inlinable
  @_disfavoredOverload
  public func merge() -> Signal<InnerElement, Element.Error> { flatten(.merge) }

  /// Sends the elements of the newest of the signals that are sent, each of which can fail.
  @inlinable
  @_disfavoredOverload
  public func switchToLatest() -> Signal<InnerElement, Element.Error> { flatten(.latest) }
}
