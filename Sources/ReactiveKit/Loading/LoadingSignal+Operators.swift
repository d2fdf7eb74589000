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

  /// Goes on with the signal that the closure makes of each value that was loaded: it is loading until it sends, its
  /// elements are loaded, its failure is a state. Other states pass.
  @_disfavoredOverload
  public func flatMapValue<NewValue>(
    _ strategy: FlattenStrategy = .latest,
    transfrom: @escaping (LoadingValue) -> Signal<NewValue, LoadingError>
  ) -> LoadingSignal<NewValue, LoadingError> {
    flatMapValue(strategy) { value -> LoadingSignal<NewValue, LoadingError> in
      transfrom(value).toLoadingSignal()
    }
  }

  /// Applies operators of signals to what is loaded: the closure gets a signal of the values, and what its result sends is
  /// sent on, among the states of loading and failing of this signal. Ends with the result.
  public func liftValue<NewValue>(
    _ transform:
      @escaping (Signal<LoadingValue, LoadingError>) -> LoadingSignal<NewValue, LoadingError>
  ) -> LoadingSignal<NewValue, LoadingError> {
    Signal(source: { observer, chain in
      let serializer = EventSerializer<Void, LoadingState<NewValue, LoadingError>, Never>(
        (), observer, chain)
      let values = PassthroughSubject<LoadingValue, LoadingError>()
      let lifted = chain.makeChild()
      transform(values.toSignal())._attach(
        { event in
          serializer.send(event)
          if event.isTerminal { lifted.dispose() }
        }, to: lifted)
      guard !chain.isDisposed else { return }
      let source = chain.makeChild()
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

  /// Applies operators of signals to what is loaded: the closure gets a signal of the values, and what its result sends is
  /// sent as loaded, its failure as a state. Loading and failing of this signal pass. Ends with the result.
  @_disfavoredOverload
  public func liftValue<NewValue>(
    _ transform: @escaping (Signal<LoadingValue, LoadingError>) -> Signal<NewValue, LoadingError>
  ) -> LoadingSignal<NewValue, LoadingError> {
    liftValue { values -> LoadingSignal<NewValue, LoadingError> in
      transform(values).mapToLoadingState()
    }
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

  /// Sends the states as someone sees them who has seen those before: loading is reloading once a value was loaded, and is
  /// not told again while it lasts.
  ///
  /// With `loadsAgainOnFailure` loading after a failure is loading anew; else it is reloading.
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

  /// Observes again each time `trigger` sends an element, besides at the beginning; the strategy says what becomes of an
  /// observation that is still loading then.
  public func reloading<O: SignalProtocol>(_ trigger: O, strategy: FlattenStrategy = .latest)
    -> LoadingSignal<LoadingValue, LoadingError> where O.Error == Never
  {
    let states = map(\.asLoadingState)
    return trigger.eraseType().prepend(()).flatMap(strategy) { states }
  }
}

extension SignalProtocol where Element: LoadingStateProtocol, Error == Never {
  /// Holds each value that was loaded back until the property was loaded again, and is loading meanwhile.
  public func reloading<OtherValue>(
    _ property: LoadingProperty<OtherValue, LoadingError>, strategy: FlattenStrategy = .latest
  ) -> LoadingSignal<LoadingValue, LoadingError> {
    flatMapValue(strategy) { value -> LoadingSignal<LoadingValue, LoadingError> in
      property.reload().mapValue { _ in value }
    }
  }
}

extension SignalProtocol {
  /// Holds each element back until the property was loaded again; a newer element begins that anew. Fails where loading
  /// does.
  public func reloading<LoadingValue>(_ property: LoadingProperty<LoadingValue, Error>)
    -> Signal<Element, Error>
  {
    flatMapLatest { element -> Signal<Element, Error> in
      property.reload().dematerializeLoadingState().replaceElements(with: element)
    }
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
