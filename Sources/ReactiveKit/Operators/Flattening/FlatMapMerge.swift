extension SignalProtocol {
  /// Transforms each element into a signal, and sends the elements of all these signals as they
  /// arrive.
  ///
  /// Completes when the source and all these signals have completed. Fails when any of them fails.
  ///
  ///     source        --a---b------|
  ///     "a" -> "-1----2|", "b" -> "-3-4|"
  ///     flatMapMerge  ---1---324---|
  @inlinable
  public func flatMapMerge<O: SignalProtocol>(_ transform: @escaping (Element) -> O)
    -> Signal<O.Element, Error> where O.Error == Error
  {
    Signal(source: { observer, chain in
      // The state counts the signals that have not completed. The source is one of them.
      let stage = chain.makeStage()
      defer { stage.didAttach() }
      let serializer = EventSerializer<Int, O.Element, Error>(1, observer, chain, stage: stage)
      let outer = stage.makeChild()
      let group = ChainGroup(of: stage)
      self._attach(
        { event in
          switch event {
          case .next(let element):
            let inner = transform(element)
            let (key, innerChain) = group.add()
            guard !innerChain.isDisposed else { return }
            serializer.update { active, _ in active += 1 }
            inner._attach(
              { event in
                serializer.update { active, emitter in
                  if event.isCompleted { active -= 1 }
                  if !event.isCompleted || active == 0 { emitter.send(event) }
                }
                if event.isTerminal { group.remove(key) }
              }, to: innerChain)
          case .failed(let error):
            serializer.send(.failed(error))
            outer.dispose()
          case .completed:
            serializer.update { active, emitter in
              active -= 1
              if active == 0 { emitter.send(.completed) }
            }
            outer.dispose()
          }
        }, to: outer)
    })
  }

  /// Transforms each element into a signal that can't fail, and sends the elements of all these
  /// signals as they arrive.
  @inlinable
  @_disfavoredOverload
  public func flatMapMerge<O: SignalProtocol>(_ transform: @escaping (Element) -> O)
    -> Signal<O.Element, Error> where O.Error == Never
  {
    flatMapMerge { transform($0).castError() as Signal<O.Element, Error> }
  }
}

extension SignalProtocol where Error == Never {
  /// Transforms each element into a signal that can fail, and sends the elements of all these
  /// signals as they arrive. The source itself can't fail.
  @inlinable
  @_disfavoredOverload
  public func flatMapMerge<O: SignalProtocol>(_ transform: @escaping (Element) -> O)
    -> Signal<O.Element, O.Error>
  {
    (castError() as Signal<Element, O.Error>).flatMapMerge(transform)
  }
}
