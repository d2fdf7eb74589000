extension SignalProtocol {
  /// Sends `element` at once on observation, before those of the source.
  ///
  ///     source      ---2--3--|
  ///     prepend(1)  1--2--3--|
  @inlinable
  public func prepend(_ element: Element) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      observer(.next(element))
      if !chain.isDisposed { self._attach(observer, to: chain) }
    })
  }

  /// Sends `element` when the source completes, and completes.
  ///
  ///     source     --1--2--|
  ///     append(3)  --1--2--(3|)
  @inlinable
  public func append(_ element: Element) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      self._attach(
        { event in
          if event.isCompleted {
            observer(.next(element))
            if chain.isDisposed { return }
          }
          observer(event)
        }, to: chain)
    })
  }

  /// Sends the other signal's elements first; the source is observed when that has completed, never if it fails.
  ///
  ///     other           --1--2--|
  ///     prepend(other)  --1--2----3--|
  @inlinable
  public func prepend<O: SignalProtocol>(_ other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Error {
    other.followed(by: self)
  }

  /// Sends the elements first of a signal that cannot fail.
  @inlinable
  @_disfavoredOverload
  public func prepend<O: SignalProtocol>(_ other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Never {
    (other.castError() as Signal<Element, Error>).followed(by: self)
  }

  /// Goes on with the other signal when this one has completed; if it fails the other is not observed.
  ///
  ///     source         --1--2--|
  ///     append(other)  --1--2----3--|
  @inlinable
  public func append<O: SignalProtocol>(_ other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Error {
    followed(by: other)
  }

  /// Goes on with a signal that cannot fail.
  @inlinable
  @_disfavoredOverload
  public func append<O: SignalProtocol>(_ other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Never {
    followed(by: other.castError() as Signal<Element, Error>)
  }

  @inlinable
  func followed<O: SignalProtocol>(by other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Error {
    Signal(source: { observer, chain in
      let first = chain.makeChild()
      // So that the second is not observed from inside the first's observation: a thousand in a row would need a thousand
      // times the stack.
      let trampoline = Trampoline()
      let hasBegun = UncheckedBox(false)
      func step() {
        trampoline.run {
          guard !hasBegun.value else {
            if !chain.isDisposed { other._attach(observer, to: chain) }
            return
          }
          hasBegun.value = true
          self._attach(
            { event in
              guard event.isCompleted else { return observer(event) }
              first.dispose()
              step()
            }, to: first)
        }
      }
      step()
    })
  }
}

extension SignalProtocol where Error == Never {
  /// Sends the elements first of a signal that can fail.
  @inlinable
  @_disfavoredOverload
  public func prepend<O: SignalProtocol>(_ other: O) -> Signal<Element, O.Error>
  where O.Element == Element {
    other.followed(by: castError() as Signal<Element, O.Error>)
  }

  /// Goes on with a signal that can fail.
  @inlinable
  @_disfavoredOverload
  public func append<O: SignalProtocol>(_ other: O) -> Signal<Element, O.Error>
  where O.Element == Element {
    (castError() as Signal<Element, O.Error>).followed(by: other)
  }
}
