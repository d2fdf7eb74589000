extension SignalProtocol where Element: LoadingStateProtocol, Error == Never {
  /// Returns a signal of the loaded values that ignores loading and failed states.
  public func value() -> SafeSignal<LoadingValue> {
    compactMap(\.value)
  }

  /// Returns a signal that transforms each loaded value with the closure. Other states pass
  /// through.
  public func mapValue<NewValue>(_ transform: @escaping (LoadingValue) -> NewValue)
    -> LoadingSignal<NewValue, LoadingError>
  {
    map { $0.mapValue(transform) }
  }

  /// Returns a signal that transforms each error with the closure. Other states pass through.
  public func mapLoadingError<NewError: Swift.Error>(
    _ transform: @escaping (LoadingError) -> NewError
  ) -> LoadingSignal<LoadingValue, NewError> {
    map { $0.mapError(transform) }
  }

  /// Returns a signal that joins the loading signals that the closure returns for the loaded
  /// values. Other states pass through.
  // Existing code spells the label this way.
  public func flatMapValue<NewValue>(
    _ strategy: FlattenStrategy = .latest,
    transfrom: @escaping (LoadingValue) -> LoadingSignal<NewValue, LoadingError>
  ) -> LoadingSignal<NewValue, LoadingError> {
    flatMap(strategy) { state -> LoadingSignal<NewValue, LoadingError> in
      switch state.asLoadingState {
      case .loading: Signal(just: .loading)
      case .loaded(let value): transfrom(value)
      case .failed(let error): Signal(just: .failed(error))
      }
    }
  }

  /// Returns a signal that joins the signals that the closure returns for the loaded values. Each
  /// of these signals is loading until it sends. Its elements become loaded states, and its failure
  /// becomes a failed state. Other states pass through.
  @_disfavoredOverload
  public func flatMapValue<NewValue>(
    _ strategy: FlattenStrategy = .latest,
    transfrom: @escaping (LoadingValue) -> Signal<NewValue, LoadingError>
  ) -> LoadingSignal<NewValue, LoadingError> {
    flatMapValue(strategy) { value -> LoadingSignal<NewValue, LoadingError> in
      transfrom(value).toLoadingSignal()
    }
  }

  /// Applies signal operators to the loaded values. The closure receives a signal of the values and
  /// returns a loading signal. The result sends the states of the returned signal, and the loading
  /// and failed states of this signal. The result ends when the returned signal ends.
  public func liftValue<NewValue>(
    _ transform:
      @escaping (Signal<LoadingValue, LoadingError>) -> LoadingSignal<NewValue, LoadingError>
  ) -> LoadingSignal<NewValue, LoadingError> {
    Signal(source: { observer, chain in
      let stage = chain.makeStage()
      defer { stage.didAttach() }
      let serializer = EventSerializer<Void, LoadingState<NewValue, LoadingError>, Never>(
        (), observer, chain, stage: stage)
      let values = PassthroughSubject<LoadingValue, LoadingError>()
      let lifted = stage.makeChild()
      transform(values.toSignal())._attach(
        { event in
          serializer.send(event)
          if event.isTerminal { lifted.dispose() }
        }, to: lifted)
      guard !chain.isDisposed else { return }
      let source = stage.makeChild()
      self._attach(
        { event in
          switch event {
          case .next(let element):
            switch element.asLoadingState {
            case .loading: serializer.send(.next(.loading))
            case .loaded(let value): values.send(value)
            case .failed(let error): serializer.send(.next(.failed(error)))
            }
          case .completed:
            values.send(completion: .finished)
            source.dispose()
          }
        }, to: source)
    })
  }

  /// Applies signal operators to the loaded values. The closure receives a signal of the values and
  /// returns another signal. The result sends the elements of the returned signal as loaded states,
  /// and its failure as a failed state. Loading and failed states of this signal pass through. The
  /// result ends when the returned signal ends.
  @_disfavoredOverload
  public func liftValue<NewValue>(
    _ transform: @escaping (Signal<LoadingValue, LoadingError>) -> Signal<NewValue, LoadingError>
  ) -> LoadingSignal<NewValue, LoadingError> {
    liftValue { values -> LoadingSignal<NewValue, LoadingError> in
      transform(values).mapToLoadingState()
    }
  }

  /// Returns a signal of the loaded values that fails if loading fails.
  public func dematerializeLoadingState() -> Signal<LoadingValue, LoadingError> {
    tryMap { state -> Result<LoadingValue?, LoadingError> in
      switch state.asLoadingState {
      case .loading: .success(nil)
      case .loaded(let value): .success(value)
      case .failed(let error): .failure(error)
      }
    }.ignoreNils()
  }

  /// Returns a signal of the states for an observer that remembers earlier states. After a value is
  /// loaded, loading becomes reloading. The result sends consecutive loading states only once.
  ///
  /// If `loadsAgainOnFailure` is true, loading after a failure stays loading. Otherwise, it becomes
  /// reloading.
  public func deriveObservedLoadingState(loadsAgainOnFailure: Bool = true)
    -> SafeSignal<ObservedLoadingState<LoadingValue, LoadingError>>
  {
    Signal(source: { observer, chain in
      let hasLoaded = UncheckedBox(false)
      let isLoading = UncheckedBox(false)
      self._attach(
        { event in
          switch event {
          case .next(let element):
            let state = element.asLoadingState
            let repeats = isLoading.value && state.isLoading
            isLoading.value = state.isLoading
            if repeats { return }
            switch state {
            case .loading: return observer(.next(hasLoaded.value ? .reloading : .loading))
            case .loaded: hasLoaded.value = true
            case .failed: hasLoaded.value = !loadsAgainOnFailure
            }
            observer(.next(state.asObservedLoadingState))
          case .completed: observer(.completed)
          }
        }, to: chain)
    })
  }

  /// Returns a signal that observes this signal at the start, and again each time `trigger` sends
  /// an element. The strategy decides what happens to a subscription that is still loading at that
  /// time.
  public func reloading<O: SignalProtocol>(_ trigger: O, strategy: FlattenStrategy = .latest)
    -> LoadingSignal<LoadingValue, LoadingError> where O.Error == Never
  {
    let states = map(\.asLoadingState)
    return trigger.eraseType().prepend(()).flatMap(strategy) { states }
  }
}

extension SignalProtocol where Element: LoadingStateProtocol, Error == Never {
  /// Returns a signal that holds back each loaded value until the property has loaded again. In the
  /// meantime, the state is loading.
  public func reloading<OtherValue>(
    _ property: LoadingProperty<OtherValue, LoadingError>, strategy: FlattenStrategy = .latest
  ) -> LoadingSignal<LoadingValue, LoadingError> {
    flatMapValue(strategy) { value -> LoadingSignal<LoadingValue, LoadingError> in
      property.reload().mapValue { _ in value }
    }
  }
}

extension SignalProtocol {
  /// Returns a signal that holds back each element until the property has loaded again. A newer
  /// element starts the load again. The signal fails if loading fails.
  public func reloading<LoadingValue>(_ property: LoadingProperty<LoadingValue, Error>)
    -> Signal<Element, Error>
  {
    flatMapLatest { element -> Signal<Element, Error> in
      property.reload().dematerializeLoadingState().replaceElements(with: element)
    }
  }
}

extension SignalProtocol where Error == Never {
  /// Returns a signal that loads with the signals that the closure returns for the elements. The
  /// strategy decides what happens to a signal that is still loading when the next element arrives.
  public func reloading<LoadingValue, LoadingError>(
    _ load: @escaping (Element) -> LoadingSignal<LoadingValue, LoadingError>,
    strategy: FlattenStrategy = .latest
  ) -> LoadingSignal<LoadingValue, LoadingError> {
    flatMap(strategy, load)
  }
}
