extension SignalProtocol where Element: ObservedLoadingStateProtocol, Error == Never {
  /// Returns a signal that reports each state to the listener, in the given context, before it
  /// sends the state.
  public func updateLoadingState(
    of listener: any LoadingStateListener, context: ExecutionContext
  ) -> Signal<ObservedLoadingState<LoadingValue, LoadingError>, Never> {
    let reference = ListenerReference(listener)
    return map(\.asObservedLoadingState).receive(on: context).handleEvents(
      receiveOutput: { state in reference.listener?.setLoadingState(state) })
  }

  /// Returns a signal that reports each state to the listener, in the listener's own context,
  /// before it sends the state.
  public func updateLoadingState(
    of listener: any LoadingStateListener & BindingExecutionContextProvider
  ) -> Signal<ObservedLoadingState<LoadingValue, LoadingError>, Never> {
    updateLoadingState(of: listener, context: listener.bindingExecutionContext)
  }

  /// Returns a signal that reports each state to the listener, in the given context, and sends only
  /// the values.
  public func consumeLoadingState(
    by listener: any LoadingStateListener, context: ExecutionContext
  ) -> SafeSignal<LoadingValue> {
    updateLoadingState(of: listener, context: context).value()
  }

  /// Returns a signal that reports each state to the listener, in the listener's own context, and
  /// sends only the values.
  public func consumeLoadingState(
    by listener: any LoadingStateListener & BindingExecutionContextProvider
  ) -> SafeSignal<LoadingValue> {
    updateLoadingState(of: listener).value()
  }
}

extension SignalProtocol where Element: LoadingStateProtocol, Error == Never {
  /// Returns a signal that reports each state from `deriveObservedLoadingState()` to the listener,
  /// in the given context, before it sends the state.
  public func updateLoadingState(
    of listener: any LoadingStateListener, context: ExecutionContext
  ) -> LoadingSignal<LoadingValue, LoadingError> {
    deriveObservedLoadingState().updateLoadingState(of: listener, context: context)
      .map(\.asLoadingState)
  }

  /// Returns a signal that reports each state from `deriveObservedLoadingState()` to the listener,
  /// in the listener's own context, before it sends the state.
  public func updateLoadingState(
    of listener: any LoadingStateListener & BindingExecutionContextProvider
  ) -> LoadingSignal<LoadingValue, LoadingError> {
    updateLoadingState(of: listener, context: listener.bindingExecutionContext)
  }

  /// Returns a signal that reports each state from `deriveObservedLoadingState()` to the listener,
  /// in the given context, and sends only the values.
  public func consumeLoadingState(
    by listener: any LoadingStateListener, context: ExecutionContext
  ) -> SafeSignal<LoadingValue> {
    updateLoadingState(of: listener, context: context).value()
  }

  /// Returns a signal that reports each state from `deriveObservedLoadingState()` to the listener,
  /// in the listener's own context, and sends only the values.
  public func consumeLoadingState(
    by listener: any LoadingStateListener & BindingExecutionContextProvider
  ) -> SafeSignal<LoadingValue> {
    updateLoadingState(of: listener).value()
  }
}
