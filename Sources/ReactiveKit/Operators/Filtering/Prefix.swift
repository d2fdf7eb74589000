extension SignalProtocol {
  /// Sends the first `maxLength` elements and completes with the last of them. Completion disposes
  /// the source.
  ///
  /// With a length of 0, never subscribes to the source.
  ///
  ///     source                --1--2--3--4--|
  ///     prefix(maxLength: 2)  --1--(2|)
  @inlinable
  public func prefix(maxLength: Int) -> Signal<Element, Error> {
    guard maxLength > 0 else { return .completed() }
    return Signal(source: { observer, chain in
      let remaining = UncheckedBox(maxLength)
      let stage = chain.makeStage()
      self._attach(
        { event in
          guard remaining.value > 0 else { return }
          guard event.isNext else {
            remaining.value = 0
            observer(event)
            return
          }
          remaining.value -= 1
          observer(event)
          guard remaining.value == 0, !chain.isDisposed else { return }
          stage.end()
          if !chain.isDisposed { observer(.completed) }
        }, to: stage)
      stage.didAttach()
    })
  }

  /// Sends the first element and then completes.
  ///
  ///     source   --1--2--3--|
  ///     first()  --(1|)
  @inlinable
  public func first() -> Signal<Element, Error> {
    prefix(maxLength: 1)
  }

  /// Sends elements as long as the closure returns true, and completes at the first element for
  /// which it returns false. Sends that element too if `inclusive` is true.
  ///
  ///     source                 --1--2--3--1--|
  ///     prefix(while: { <3 })  --1--2--|
  @inlinable
  public func prefix(while isIncluded: @escaping (Element) -> Bool, inclusive: Bool = false)
    -> Signal<Element, Error>
  {
    Signal(source: { observer, chain in
      let isDone = UncheckedBox(false)
      let stage = chain.makeStage()
      self._attach(
        { event in
          guard !isDone.value else { return }
          guard case .next(let element) = event else { return observer(event) }
          isDone.value = !isIncluded(element)
          if chain.isDisposed { return }
          guard isDone.value else { return observer(event) }
          if inclusive { observer(event) }
          if chain.isDisposed { return }
          stage.end()
          if !chain.isDisposed { observer(.completed) }
        }, to: stage)
      stage.didAttach()
    })
  }
}
