/// A strategy for joining the signals that a signal sends into one signal.
public enum FlattenStrategy: Sendable {
  /// Follows one signal after another, in order.
  case concat
  /// Follows only the newest signal, and disposes the previous one.
  case latest
  /// Follows all signals at the same time.
  case merge
}

extension SignalProtocol where Element: SignalProtocol {
  public typealias InnerElement = Element.Element
}

extension SignalProtocol where Element: SignalProtocol, Element.Error == Error {
  /// Joins the inner signals by the strategy.
  @inlinable
  public func flatten(_ strategy: FlattenStrategy) -> Signal<InnerElement, Error> {
    flatMap(strategy) { $0 }
  }

  /// Sends the elements of one inner signal after another.
  @inlinable
  public func concat() -> Signal<InnerElement, Error> { flatten(.concat) }

  /// Sends the elements of all inner signals as they arrive.
  @inlinable
  public func merge() -> Signal<InnerElement, Error> { flatten(.merge) }

  /// Sends the elements of the newest inner signal.
  @inlinable
  public func switchToLatest() -> Signal<InnerElement, Error> { flatten(.latest) }
}

extension SignalProtocol where Element: SignalProtocol, Element.Error == Never {
  /// Joins inner signals that can't fail, by the strategy.
  @inlinable
  @_disfavoredOverload
  public func flatten(_ strategy: FlattenStrategy) -> Signal<InnerElement, Error> {
    flatMap(strategy) { $0 }
  }

  /// Sends the elements of one inner signal after another. The inner signals can't fail.
  @inlinable
  @_disfavoredOverload
  public func concat() -> Signal<InnerElement, Error> { flatten(.concat) }

  /// Sends the elements of all inner signals as they arrive. The inner signals can't fail.
  @inlinable
  @_disfavoredOverload
  public func merge() -> Signal<InnerElement, Error> { flatten(.merge) }

  /// Sends the elements of the newest inner signal. The inner signals can't fail.
  @inlinable
  @_disfavoredOverload
  public func switchToLatest() -> Signal<InnerElement, Error> { flatten(.latest) }
}

extension SignalProtocol where Element: SignalProtocol, Error == Never {
  /// Joins inner signals that can fail, by the strategy. The source itself can't fail.
  @inlinable
  @_disfavoredOverload
  public func flatten(_ strategy: FlattenStrategy) -> Signal<InnerElement, Element.Error> {
    flatMap(strategy) { $0 }
  }

  /// Sends the elements of one inner signal after another. Only the inner signals can fail.
  @inlinable
  @_disfavoredOverload
  public func concat() -> Signal<InnerElement, Element.Error> { flatten(.concat) }

  /// Sends the elements of all inner signals as they arrive. Only the inner signals can fail.
  @inlinable
  @_disfavoredOverload
  public func merge() -> Signal<InnerElement, Element.Error> { flatten(.merge) }

  /// Sends the elements of the newest inner signal. Only the inner signals can fail.
  @inlinable
  @_disfavoredOverload
  public func switchToLatest() -> Signal<InnerElement, Element.Error> { flatten(.latest) }
}

extension Signal {
  /// Joins several signals by the strategy. Completes immediately for an empty sequence.
  @inlinable
  public init<Signals: Sequence>(flattening signals: Signals, strategy: FlattenStrategy)
  where
    Signals.Element: SignalProtocol, Signals.Element.Element == Element,
    Signals.Element.Error == Error
  {
    switch strategy {
    case .merge: self.init(merging: Array(signals))
    case .concat:
      self = Signal<Signals.Element, Never>(sequence: signals).flatMapConcat { $0 }
    case .latest:
      self = Signal<Signals.Element, Never>(sequence: signals).flatMapLatest { $0 }
    }
  }

  /// Sends the elements of all signals as they arrive. Completes when all have completed.
  @inlinable
  init<S: SignalProtocol>(merging signals: [S]) where S.Element == Element, S.Error == Error {
    self.init(source: { observer, chain in
      guard !signals.isEmpty else { return observer(.completed) }
      let stage = chain.makeStage()
      let serializer = EventSerializer<Int, Element, Error>(
        signals.count, observer, chain, stage: stage)
      for signal in signals where !chain.isDisposed { attachMerged(signal, serializer, stage) }
      stage.didAttach()
    })
  }
}
