extension SignalProtocol where Element: LoadingStateProtocol, Error == Never {
  /// Sends the values that were loaded, and nothing of loading and failing.
  public func value() -> SafeSignal<LoadingValue> {
    compactMap(\.value)
  }

  /// Sends what the closure makes of each value that was loaded; other states pass.
  public func mapValue<NewValue>(_ transform: @escaping (LoadingValue) -> NewValue)
    -> LoadingSignal<NewValue, LoadingError>
  {
    map { $0.mapValue(transform) }
  }

  /// Sends what the closure makes of each error; other states pass.
  public func mapLoadingError<NewError: Swift.Error>(
    _ transform: @escaping (LoadingError) -> NewError
  ) -> LoadingSignal<LoadingValue, NewError> {
    map { $0.mapError(transform) }
  }

  /// Goes on with the loading signal that the closure makes of each value that was loaded; other states pass.
  // The label is spelt as existing code spells it.
  public func flatMapValue<O: SignalProtocol>(
    _ strategy: FlattenStrategy, transfrom: @escaping (LoadingValue) -> O
  ) -> LoadingSignal<O.Element.LoadingValue, LoadingError>
  where O.Element: LoadingStateProtocol, O.Element.LoadingError == LoadingError, O.Error == Never {
    flatMap(strategy) { state -> LoadingSignal<O.Element.LoadingValue, LoadingError> in
      switch state.asLoadingState {
      case .loading: Signal(just: .loading)
      case .loaded(let value): transfrom(value).map(\.asLoadingState)
      case .failed(let error): Signal(just: .failed(error))
      }
    }
  }

  /// Applies operators of signals to what is loaded: the closure gets a signal of the values, which fails where loading does,
  /// and what its result sends is sent as loaded. Loading passes.
  public func liftValue<O: SignalProtocol>(
    _ transform: @escaping (Signal<LoadingValue, LoadingError>) -> O
  ) -> LoadingSignal<O.Element, LoadingError> where O.Error == LoadingError {
    let states = map(\.asLoadingState)
    return Signal(deferring: {
      let shared = states.publish()
      let loading = shared.filter(\.isLoading).map { _ in
        LoadingState<O.Element, LoadingError>.loading
      }
      let values = transform(shared.dematerializeLoadingState()).mapToResult().map {
        switch $0 {
        case .success(let value): LoadingState<O.Element, LoadingError>.loaded(value)
        case .failure(let error): LoadingState<O.Element, LoadingError>.failed(error)
        }
      }
      return Signal(source: { observer, chain in
        loading.merge(with: values)._attach(observer, to: chain)
        // Last, so that a source that sends at once finds both observing.
        if !chain.isDisposed { chain.attach(disposable: shared.connect()) }
      })
    })
  }

  /// Sends the values that were loaded, and fails where loading does.
  public func dematerializeLoadingState() -> Signal<LoadingValue, LoadingError> {
    tryMap { state -> Result<LoadingValue?, LoadingError> in
      switch state.asLoadingState {
      case .loading: .success(nil)
      case .loaded(let value): .success(value)
      case .failed(let error): .failure(error)
      }
    }.ignoreNils()
  }

  /// Sends the states as someone sees them who has seen those before: loading is reloading once a value was loaded.
  ///
  /// With `loadsAgainOnFailure` loading after a failure is loading anew; else it is reloading where there was a value
  /// before the failure.
  public func deriveObservedLoadingState(loadsAgainOnFailure: Bool = true)
    -> SafeSignal<ObservedLoadingState<LoadingValue, LoadingError>>
  {
    Signal(source: { observer, chain in
      let hasValue = Local(false)
      self._attach(
        { event in
          switch event {
          case .next(let element):
            let state = element.asLoadingState
            switch state {
            case .loading: return observer(.next(hasValue.value ? .reloading : .loading))
            case .loaded: hasValue.value = true
            case .failed: if loadsAgainOnFailure { hasValue.value = false }
            }
            observer(.next(state.asObservedLoadingState))
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }

  /// Observes again each time `trigger` sends an element, besides at the beginning; the strategy says what becomes of an
  /// observation that is still loading then.
  public func reloading<O: SignalProtocol>(_ trigger: O, strategy: FlattenStrategy = .latest)
    -> LoadingSignal<LoadingValue, LoadingError> where O.Error == Never
  {
    let states = map(\.asLoadingState)
    return trigger.eraseType().prepend(()).flatMap(strategy) { states }
  }
}

extension SignalProtocol where Error == Never {
  /// Loads with the signal that the closure makes of each element; the strategy says what becomes of one that is still
  /// loading when the next element comes.
  public func reloading<LoadingValue, LoadingError>(
    _ load: @escaping (Element) -> LoadingSignal<LoadingValue, LoadingError>,
    strategy: FlattenStrategy = .latest
  ) -> LoadingSignal<LoadingValue, LoadingError> {
    flatMap(strategy, load)
  }
}
