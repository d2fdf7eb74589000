extension SignalProtocol where Element: LoadingStateProtocol, Error == Never {
  /// Shares one observation; observers get the latest loaded values, at most `limit`, first, and then the state if it
  /// is loading or failed since. It starts with `connect()`.
  public func replayValues(limit: Int = Int.max)
    -> ConnectableSignal<Signal<LoadingState<LoadingValue, LoadingError>, Never>>
  {
    map(\.asLoadingState).multicast(
      subject: ReplayLoadingValueSubject<LoadingValue, LoadingError, Never>(bufferSize: limit))
  }

  /// The same, observed when the first observer comes, and disposed when the last has gone.
  public func shareReplayValues(limit: Int = Int.max) -> LoadingSignal<LoadingValue, LoadingError> {
    replayValues(limit: limit).refCount()
  }
}
