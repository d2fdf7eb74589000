extension SignalProtocol where Element: OptionalProtocol {
  /// Sends the values of the elements that are not nil.
  ///
  ///     source        --1--nil--3--|
  ///     ignoreNils()  --1-------3--|
  @inlinable
  public func ignoreNils() -> Signal<Element.Wrapped, Error> {
    compactMap(\._unbox)
  }

  /// Sends `value` in place of nil.
  @inlinable
  public func replaceNils(with value: Element.Wrapped) -> Signal<Element.Wrapped, Error> {
    map { $0._unbox ?? value }
  }

  /// Sends what the closure makes of the value of each element, and nil for nil.
  @inlinable
  public func mapWrapped<NewWrapped>(_ transform: @escaping (Element.Wrapped) -> NewWrapped)
    -> Signal<NewWrapped?, Error>
  {
    map { $0._unbox.map(transform) }
  }
}
