extension SignalProtocol {
  /// Subscribes to the source again when it fails, at most `times` more times. After that, passes
  /// on the failure.
  ///
  /// A failure for which `shouldRetry` returns false is passed on immediately. If more than a
  /// hundred thousand attempts in a row fail while they are being subscribed to, the next ones are
  /// made on a queue. The caller then gets the disposable that stops them.
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
        trampoline.runLimited {
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
