extension SignalProtocol {
  /// Observes the source again when it fails, at most `times` times more; then the failure is sent.
  ///
  /// A failure for which `shouldRetry` answers false is sent at once. Where some hundred thousand attempts in a row fail while they are
  /// being observed, the next ones are made on a queue, so that the observer gets the means to dispose.
  ///
  ///     source    --1--!
  ///     retry(1)  --1----1--!
  @inlinable
  public func retry(_ times: Int, if shouldRetry: @escaping (Error) -> Bool = { _ in true })
    -> Signal<Element, Error>
  {
    Signal(source: { observer, chain in
      let slot = ChainSlot(of: chain)
      let trampoline = Trampoline()
      let source = self
      let remaining = UncheckedBox(times)
      func attempt() {
        trampoline.runLettingGo {
          let attemptChain = slot.renew()
          guard !attemptChain.isDisposed else { return }
          source._attach(
            { event in
              guard case .failed(let error) = event, remaining.value > 0 else {
                return observer(event)
              }
              let isWanted = shouldRetry(error)
              if attemptChain.isDisposed { return }
              guard isWanted else { return observer(event) }
              remaining.value -= 1
              attemptChain.dispose()
              attempt()
            }, to: attemptChain)
        }
      }
      attempt()
    })
  }
}
