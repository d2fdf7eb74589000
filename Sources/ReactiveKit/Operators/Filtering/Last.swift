extension SignalProtocol {
  /// Sends the last element when the source completes, and then completes.
  ///
  ///     source  --1--2--3--|
  ///     last()  -----------(3|)
  @inlinable
  public func last() -> Signal<Element, Error> {
    suffix(maxLength: 1)
  }

  /// Sends at most the last `maxLength` elements when the source completes. Sends none when it
  /// fails.
  ///
  ///     source                --1--2--3--|
  ///     suffix(maxLength: 2)  -----------(23|)
  @inlinable
  public func suffix(maxLength: Int) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      let latest = UncheckedBox(FIFO<Element>())
      self._attach(
        { event in
          switch event {
          case .next(let element):
            guard maxLength > 0 else { return }
            latest.value.append(element)
            if latest.value.count > maxLength { _ = latest.value.popFirst() }
          case .failed(let error): observer(.failed(error))
          case .completed:
            while let element = latest.value.popFirst() {
              observer(.next(element))
              if chain.isDisposed { return }
            }
            observer(.completed)
          }
        }, to: chain)
    })
  }

  /// Drops the last `count` elements. Sends each element when `count` more have arrived.
  ///
  ///     source       --1--2--3--4--|
  ///     dropLast(2)  --------1--2--|
  @inlinable
  public func dropLast(_ count: Int) -> Signal<Element, Error> {
    guard count > 0 else { return toSignal() }
    return Signal(source: { observer, chain in
      let waiting = UncheckedBox(FIFO<Element>())
      self._attach(
        { event in
          guard case .next(let element) = event else { return observer(event) }
          waiting.value.append(element)
          if waiting.value.count > count, let first = waiting.value.popFirst() {
            observer(.next(first))
          }
        }, to: chain)
    })
  }
}
