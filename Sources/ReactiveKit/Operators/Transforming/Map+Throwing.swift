extension SignalProtocol where Error == any Swift.Error {
  /// Transforms each element with the closure, and fails with the first error that it throws. The
  /// failure disposes the source.
  ///
  ///     source             --1--2--x--4--|
  ///     map { try int($0)} --1--2--!
  @inlinable
  @_disfavoredOverload
  public func map<U>(_ transform: @escaping (Element) throws -> U) -> Signal<U, Error> {
    tryMap { element in Result { try transform(element) } }
  }
}
