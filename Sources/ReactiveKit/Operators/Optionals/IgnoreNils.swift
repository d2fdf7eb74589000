extension SignalProtocol where Element: OptionalProtocol {
  /// Unwraps the elements, and drops those that are nil.
  ///
  ///     source        --1--nil--3--|
  ///     ignoreNils()  --1-------3--|
  @inlinable
  public func ignoreNils() -> Signal<Element.Wrapped, Error> {
    compactMap(\._unbox)
  }

  /// Replaces nil with `value`.
  @inlinable
  public func replaceNils(with value: Element.Wrapped) -> Signal<Element.Wrapped, Error> {
    map { $0._unbox ?? value }
  }

  /// Transforms the wrapped value of each element with the closure. Sends nil for nil.
  @inlinable
  public func mapWrapped<NewWrapped>(_ transform: @escaping (Element.Wrapped) -> NewWrapped)
    -> Signal<NewWrapped?, Error>
  {
    map { $0._unbox.map(transform) }
  }
}
