extension SignalProtocol where Element: ObservedLoadingStateProtocol, Error == Never {
  /// Tells the listener each state, in the context, before the state goes on.
  public func updateLoadingState(
    of listener: any LoadingStateListener, context: ExecutionContext
  ) -> Signal<ObservedLoadingState<LoadingValue, LoadingError>, Never> {
    let reference = ListenerReference(listener)
    return map(\.asObservedLoadingState).receive(on: context).handleEvents(
      receiveOutput: { state in reference.listener?.setLoadingState(state) })
  }

  /// Tells the listener each state, on the listener's own context, before the state goes on.
  public func updateLoadingState(
    of listener: any LoadingStateListener & BindingExecutionContextProvider
  ) -> Signal<ObservedLoadingState<LoadingValue, LoadingError>, Never> {
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

extension SignalProtocol where Element: LoadingStateProtocol, Error == Never {
  /// Tells the listener each state as `deriveObservedLoadingState()` sends it, in the context, before the state goes on.
  public func updateLoadingState(
    of listener: any LoadingStateListener, context: ExecutionContext
  ) -> LoadingSignal<LoadingValue, LoadingError> {
    deriveObservedLoadingState().updateLoadingState(of: listener, context: context)
      .map(\.asLoadingState)
  }

  /// Tells the listener each state as `deriveObservedLoadingState()` sends it, on the listener's own context, before the
  /// state goes on.
  public func updateLoadingState(
    of listener: any LoadingStateListener & BindingExecutionContextProvider
  ) -> LoadingSignal<LoadingValue, LoadingError> {
    updateLoadingState(of: listener, context: listener.bindingExecutionContext)
  }

  /// Tells the listener each state as `deriveObservedLoadingState()` sends it, in the context, and sends only the values.
  public func consumeLoadingState(
    by listener: any LoadingStateListener, context: ExecutionContext
  ) -> SafeSignal<LoadingValue> {
    updateLoadingState(of: listener, context: context).value()
  }

  /// Tells the listener each state as `deriveObservedLoadingState()` sends it, on the listener's own context, and sends
  /// only the values.
  public func consumeLoadingState(
    by listener: any LoadingStateListener & BindingExecutionContextProvider
  ) -> SafeSignal<LoadingValue> {
    updateLoadingState(of: listener).value()
  }
}
