extension SignalProtocol where Element: LoadingStateProtocol {
  /// Returns a signal that shares one subscription. The subscription starts with `connect()`.
  ///
  /// Observers first receive the latest loaded values, at most `limit`. They then receive the
  /// current state if it changed to loading or failed after the last value.
  public func replayValues(limit: Int = Int.max)
    -> ConnectableSignal<Signal<LoadingState<Element.LoadingValue, Element.LoadingError>, Error>>
  {
    map(\.asLoadingState).multicast(subject: ReplayLoadingValueSubject(bufferSize: limit))
  }

  /// Returns a signal that shares one subscription and replays values as `replayValues(limit:)`
  /// does. The subscription starts when the first observer subscribes and is disposed when the last
  /// observer leaves.
  public func shareReplayValues(limit: Int = Int.max)
    -> Signal<LoadingState<Element.LoadingValue, Element.LoadingError>, Error>
  {
    replayValues(limit: limit).refCount()
  }
}
