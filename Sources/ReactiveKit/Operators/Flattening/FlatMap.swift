extension SignalProtocol {
  /// Joins the signals that the closure makes of each element, by the strategy.
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

  /// The same for inner signals that cannot fail.
  @inlinable
  @_disfavoredOverload
  public func flatMap<O: SignalProtocol>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Element) -> O
  ) -> Signal<O.Element, Error> where O.Error == Never {
    flatMap(strategy) { transform($0).castError() as Signal<O.Element, Error> }
  }
}

extension SignalProtocol where Error == Never {
  /// The same for a source that cannot fail and inner signals that can.
  @inlinable
  @_disfavoredOverload
  public func flatMap<O: SignalProtocol>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Element) -> O
  ) -> Signal<O.Element, O.Error> {
    (castError() as Signal<Element, O.Error>).flatMap(strategy, transform)
  }
}
