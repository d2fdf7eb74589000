extension Signal {
  /// Joins several signals by the strategy. Completes if there are none.
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
      let serializer = EventSerializer<Int, Element, Error>(signals.count, observer, chain)
      for signal in signals where !chain.isDisposed { attachMerged(signal, serializer, chain) }
    })
  }
}
