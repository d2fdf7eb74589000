extension SignalProtocol where Element: LoadingStateProtocol {
  /// Shares one observation; observers get the latest loaded values, at most `limit`, first, and then the state if it
  /// is loading or failed since. It starts with `connect()`.
  public func replayValues(limit: Int = Int.max)
    -> ConnectableSignal<Signal<LoadingState<Element.LoadingValue, Element.LoadingError>, Error>>
  {
    map(\.asLoadingState).multicast(subject: ReplayLoadingValueSubject(bufferSize: limit))
  }

  /// The same, observed when the first observer comes, and disposed when the last has gone.
  public func shareReplayValues(limit: Int = Int.max)
    -> Signal<LoadingState<Element.LoadingValue, Element.LoadingError>, Error>
  {
    replayValues(limit: limit).refCount()
  }
}
