extension SignalProtocol {
  /// Follows the first signal to send an event, and disposes the other. The event is an element or
  /// a terminal event.
  ///
  ///     source            ----1--2--|
  ///     other             --a---b---c--|
  ///     amb(with: other)  --a---b---c--|
  @inlinable
  public func amb<O: SignalProtocol>(with other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Error {
    Signal(firstOf: [toSignal(), other.toSignal()])
  }

  /// Follows the first to send an event, this signal or one that can't fail.
  @inlinable
  @_disfavoredOverload
  public func amb<O: SignalProtocol>(with other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Never {
    amb(with: other.castError())
  }
}

extension SignalProtocol where Error == Never {
  /// Follows the first to send an event, this signal that can't fail or one that can.
  @inlinable
  @_disfavoredOverload
  public func amb<O: SignalProtocol>(with other: O) -> Signal<Element, O.Error>
  where O.Element == Element {
    castError().amb(with: other)
  }
}

extension Signal {
  /// Follows the first of the signals to send an event, and disposes the others.
  @inlinable
  init(firstOf signals: [Signal<Element, Error>]) {
    self.init(source: { observer, chain in
      let stage = chain.makeStage()
      defer { stage.didAttach() }
      let serializer = EventSerializer<Int?, Element, Error>(nil, observer, chain, stage: stage)
      let children = signals.map { _ in stage.makeChild() }
      for (index, signal) in signals.enumerated() where !children[index].isDisposed {
        signal._attach(
          { event in
            let isFirst = serializer.update { winner, emitter in
              let isFirst = winner == nil
              if isFirst { winner = index }
              if winner == index { emitter.send(event) }
              return isFirst
            }
            if isFirst {
              for other in children.indices where other != index { children[other].dispose() }
            }
            if event.isTerminal { children[index].dispose() }
          }, to: children[index])
      }
    })
  }
}
