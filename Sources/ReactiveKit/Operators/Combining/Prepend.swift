extension SignalProtocol {
  /// Sends `element` immediately on subscription, before the elements of the source.
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

  /// Sends `element` when the source completes, and then completes.
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

  /// Sends the elements of `other` first. Subscribes to the source when `other` completes, and
  /// never if `other` fails.
  ///
  ///     other           --1--2--|
  ///     prepend(other)  --1--2----3--|
  @inlinable
  public func prepend<O: SignalProtocol>(_ other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Error {
    other.followed(by: self)
  }

  /// Sends the elements of a signal that can't fail first.
  @inlinable
  @_disfavoredOverload
  public func prepend<O: SignalProtocol>(_ other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Never {
    (other.castError() as Signal<Element, Error>).followed(by: self)
  }

  /// Continues with `other` when this signal completes. Never subscribes to `other` if this signal
  /// fails.
  ///
  ///     source         --1--2--|
  ///     append(other)  --1--2----3--|
  @inlinable
  public func append<O: SignalProtocol>(_ other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Error {
    followed(by: other)
  }

  /// Continues with a signal that can't fail when this signal completes.
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
      // The trampoline keeps the second subscription from starting inside the first. Without it, a
      // thousand signals in a row would need a thousand times the stack.
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
  /// Sends the elements of a signal that can fail first.
  @inlinable
  @_disfavoredOverload
  public func prepend<O: SignalProtocol>(_ other: O) -> Signal<Element, O.Error>
  where O.Element == Element {
    other.followed(by: castError() as Signal<Element, O.Error>)
  }

  /// Continues with a signal that can fail when this signal completes.
  @inlinable
  @_disfavoredOverload
  public func append<O: SignalProtocol>(_ other: O) -> Signal<Element, O.Error>
  where O.Element == Element {
    (castError() as Signal<Element, O.Error>).followed(by: other)
  }
}
