extension SignalProtocol {
  /// Sends the elements of the source, and the latest of them again each time the other signal sends an element. Ends
  /// with the source.
  ///
  ///     source                     --1-----2--|
  ///     other                      -x--x-x----
  ///     replayLatest(when: other)  --1-1-1-2--|
  @inlinable
  public func replayLatest<O: SignalProtocol>(when other: O) -> Signal<Element, Error>
  where O.Error == Never {
    Signal(source: { observer, chain in
      let junction = Junction<Element?, Element, Error>(nil, observer, chain)
      let otherChain = chain.makeChild()
      other._attach(
        { event in
          if event.isTerminal { return otherChain.dispose() }
          junction.update { latest, outlet in
            if let latest { outlet.send(.next(latest)) }
          }
        }, to: otherChain)
      guard !chain.isDisposed else { return }
      let source = chain.makeChild()
      self._attach(
        { event in
          junction.update { latest, outlet -> Element? in
            let outdated = latest
            if case .next(let element) = event { latest = element }
            outlet.send(event)
            return outdated
          }
          if event.isTerminal {
            source.dispose()
            otherChain.dispose()
          }
        }, to: source)
    })
  }
}
