extension SignalProtocol {
  /// Transforms each element into a signal, and joins these signals by the strategy.
  @inlinable
  public func flatMap<O: SignalProtocol>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Element) -> O
  ) -> Signal<O.Element, Error> where O.Error == Error {
    switch strategy {
    case .concat: flatMapConcat(transform)
    case .latest: flatMapLatest(transform)
    case .merge: flatMapMerge(transform)
    }
  }

  /// Transforms each element into a signal that can't fail, and joins these signals by the
  /// strategy.
  @inlinable
  @_disfavoredOverload
  public func flatMap<O: SignalProtocol>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Element) -> O
  ) -> Signal<O.Element, Error> where O.Error == Never {
    flatMap(strategy) { transform($0).castError() as Signal<O.Element, Error> }
  }
}

extension SignalProtocol where Error == Never {
  /// Transforms each element into a signal that can fail, and joins these signals by the strategy.
  /// The source itself can't fail.
  @inlinable
  @_disfavoredOverload
  public func flatMap<O: SignalProtocol>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Element) -> O
  ) -> Signal<O.Element, O.Error> {
    (castError() as Signal<Element, O.Error>).flatMap(strategy, transform)
  }
}
