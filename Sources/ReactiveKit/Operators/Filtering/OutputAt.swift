extension SignalProtocol {
  /// Sends the element at `index` and completes. Completion disposes the source.
  ///
  /// The first element has index 0. With a negative index, sends only the terminal event.
  ///
  ///     source         --1--2--3--|
  ///     output(at: 1)  -----(2|)
  @inlinable
  public func output(at index: Int) -> Signal<Element, Error> {
    index < 0 ? ignoreOutput() : dropFirst(index).first()
  }

  /// Sends only the terminal event.
  ///
  ///     source          --1--2--|
  ///     ignoreOutput()  --------|
  @inlinable
  public func ignoreOutput() -> Signal<Element, Error> {
    filter { _ in false }
  }

  /// Sends only elements, and neither failure nor completion. The subscription lasts until it is
  /// disposed.
  ///
  ///     source            --1--2--|
  ///     ignoreTerminal()  --1--2------
  @inlinable
  public func ignoreTerminal() -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      let source = chain.makeChild()
      self._attach(
        { event in
          if event.isNext { observer(event) } else { source.dispose() }
        }, to: source)
    })
  }
}
