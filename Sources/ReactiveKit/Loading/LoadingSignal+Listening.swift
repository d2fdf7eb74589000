extension SignalProtocol where Element: LoadingStateProtocol, Error == Never {
  /// Tells the listener each state, in the context, before the state goes on.
  public func updateLoadingState(
    of listener: any LoadingStateListener, context: ExecutionContext
  ) -> LoadingSignal<LoadingValue, LoadingError> {
    let states = map(\.asLoadingState)
    let reference = ListenerReference(listener)
    return Signal(source: { observer, chain in
      let hasValue = Local(false)
      states.receive(on: context)._attach(
        { event in
          if case .next(let state) = event {
            let isReloading = hasValue.value && state.isLoading
            if case .loaded = state { hasValue.value = true }
            if case .failed = state { hasValue.value = false }
            reference.listener?.setLoadingState(
              isReloading ? .reloading : state.asObservedLoadingState)
            if chain.isDisposed { return }
          }
          observer(event)
        }, to: chain)
    })
  }

  /// Tells the listener each state, on the listener's own context, before the state goes on.
  public func updateLoadingState(
    of listener: any LoadingStateListener & BindingExecutionContextProvider
  ) -> LoadingSignal<LoadingValue, LoadingError> {
    updateLoadingState(of: listener, context: listener.bindingExecutionContext)
  }

  /// Tells the listener each state, in the context, and sends only the values.
  public func consumeLoadingState(
    by listener: any LoadingStateListener, context: ExecutionContext
  ) -> SafeSignal<LoadingValue> {
    updateLoadingState(of: listener, context: context).value()
  }

  /// Tells the listener each state, on the listener's own context, and sends only the values.
  public func consumeLoadingState(
    by listener: any LoadingStateListener & BindingExecutionContextProvider
  ) -> SafeSignal<LoadingValue> {
    updateLoadingState(of: listener).value()
  }
}
