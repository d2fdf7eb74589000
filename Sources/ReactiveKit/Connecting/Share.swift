extension SignalProtocol {
  /// Shares one observation of the source among all observers, each of which gets the latest elements, at most `limit`,
  /// first.
  ///
  /// The source is observed when the first observer comes, and disposed when the last has gone unless `keepAlive`.
  public func share(limit: Int = Int.max, keepAlive: Bool = false) -> Signal<Element, Error> {
    replay(limit: limit).refCount(disconnectCount: keepAlive ? -1 : 0)
  }
}
