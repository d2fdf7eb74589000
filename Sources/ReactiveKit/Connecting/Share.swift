extension SignalProtocol {
  /// Returns a signal that shares one subscription to the source among all observers. Each observer
  /// first receives the latest elements, at most `limit`.
  ///
  /// The subscription starts when the first observer subscribes. It is disposed when the last
  /// observer leaves, unless `keepAlive` is true.
  public func share(limit: Int = Int.max, keepAlive: Bool = false) -> Signal<Element, Error> {
    replay(limit: limit).refCount(disconnectCount: keepAlive ? -1 : 0)
  }
}
