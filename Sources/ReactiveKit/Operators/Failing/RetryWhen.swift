extension SignalProtocol {
  /// Subscribes to the source again after it fails, when `other` sends an element.
  ///
  /// Passes on the failure if `other` completes without an element, or if `shouldRetry` returns
  /// false. If more than a hundred thousand attempts in a row fail while they are being subscribed
  /// to, the next ones are made on a queue. The caller then gets the disposable that stops them.
  ///
  /// If the source always fails immediately and `other` always sends immediately, attempts never
  /// stop: `endedSubject.retry(when: SafeSignal(just: ()))` continues on a queue, and keeps a core
  /// busy until it is disposed. Wait between attempts with `SafeSignal(just: (), after: 1)`, limit
  /// them with `retry(3)`, or let `shouldRetry` return false.
  ///
  ///     source              --1--!
  ///     other                    ---x
  ///     retry(when: other)  --1-------1--!
  @inlinable
  public func retry<O: SignalProtocol>(
    when other: O, if shouldRetry: @escaping (Error) -> Bool = { _ in true }
  ) -> Signal<Element, Error> where O.Error == Never {
    Signal(source: { observer, chain in
      let source = ChainSlot(of: chain)
      let waiting = ChainSlot(of: chain)
      let trampoline = Trampoline()
      func wait(toRetryAfter error: Error) {
        let otherChain = waiting.renew()
        guard !otherChain.isDisposed else { return }
        other._attach(
          { event in
            guard !otherChain.isDisposed else { return }
            otherChain.dispose()
            if event.isNext { attempt() } else { observer(.failed(error)) }
          }, to: otherChain)
      }
      func attempt() {
        trampoline.runLimited {
          let attemptChain = source.renew()
          guard !attemptChain.isDisposed else { return }
          self._attach(
            { event in
              guard case .failed(let error) = event else { return observer(event) }
              let isWanted = shouldRetry(error)
              if attemptChain.isDisposed { return }
              guard isWanted else { return observer(event) }
              attemptChain.dispose()
              wait(toRetryAfter: error)
            }, to: attemptChain)
        }
      }
      attempt()
    })
  }
}
