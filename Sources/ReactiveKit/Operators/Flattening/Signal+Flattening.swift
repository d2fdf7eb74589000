extension Signal {
  /// Joins several signals, by the strategy; with none it completes.
  @inlinable
  public init<S: SignalProtocol>(flattening signals: [S], strategy: FlattenStrategy)
  where S.Element == Element, S.Error == Error {
    switch strategy {
    case .merge: self.init(merging: signals)
    case .concat: self = Signal<S, Never>(sequence: signals).flatMapConcat { $0 }
    case .latest: self = Signal<S, Never>(sequence: signals).flatMapLatest { $0 }
    }
  }

  /// Sends the elements of all signals as they come; completes when all have.
  @inlinable
  init<S: SignalProtocol>(merging signals: [S]) where S.Element == Element, S.Error == Error {
    self.init(source: { observer, chain in
      guard !signals.isEmpty else { return observer(.completed) }
      let junction = Junction<Int, Element, Error>(signals.count, observer, chain)
      for signal in signals where !chain.isDisposed { attachMerged(signal, junction, chain) }
    })
  }
}
