extension SignalProtocol {
  /// Drops the first `count` elements.
  ///
  ///     source        --1--2--3--|
  ///     dropFirst(2)  --------3--|
  @inlinable
  public func dropFirst(_ count: Int) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      let remaining = UncheckedBox(count)
      self._attach(
        { event in
          if remaining.value > 0, event.isNext {
            remaining.value -= 1
          } else {
            observer(event)
          }
        }, to: chain)
    })
  }
}
