extension SignalProtocol {
  /// Sends the elements of both signals as they arrive. Completes when both have completed, and
  /// fails when either fails.
  ///
  ///     source              --1-----2--|
  ///     other               ----a------b--|
  ///     merge(with: other)  --1-a---2--b--|
  @inlinable
  public func merge<O: SignalProtocol>(with other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Error {
    Signal(source: { observer, chain in
      let stage = chain.makeStage()
      let serializer = EventSerializer<Int, Element, Error>(2, observer, chain, stage: stage)
      attachMerged(self, serializer, stage)
      if !chain.isDisposed { attachMerged(other, serializer, stage) }
      stage.didAttach()
    })
  }

  /// Merges with a signal that can't fail.
  @inlinable
  @_disfavoredOverload
  public func merge<O: SignalProtocol>(with other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Never {
    merge(with: other.castError())
  }
}

extension SignalProtocol where Error == Never {
  /// Merges a signal that can't fail with one that can.
  @inlinable
  @_disfavoredOverload
  public func merge<O: SignalProtocol>(with other: O) -> Signal<Element, O.Error>
  where O.Element == Element {
    castError().merge(with: other)
  }
}

/// Sends the source's events to the serializer. The serializer's state counts the sources that have
/// not completed.
@inlinable
func attachMerged<Source: SignalProtocol>(
  _ source: Source, _ serializer: EventSerializer<Int, Source.Element, Source.Error>,
  _ chain: ChainDisposable
) {
  let child = chain.makeChild()
  source._attach(
    { event in
      if event.isNext { return serializer.send(event) }
      serializer.update { remaining, emitter in
        if event.isCompleted { remaining -= 1 }
        if !event.isCompleted || remaining == 0 { emitter.send(event) }
      }
      child.dispose()
    }, to: child)
}
