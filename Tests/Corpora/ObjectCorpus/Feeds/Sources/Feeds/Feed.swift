/// A source of values. An observation and its feed retain each other until it is canceled.
public final class Feed<Value> {
  fileprivate var entries: [Entry<Value>] = []

  public init() {}

  /// Observes the feed until the token is canceled or deallocated.
  public func observe(_ body: @escaping (Value) -> Void) -> FeedToken {
    let entry = Entry(self, body)
    entries.append(entry)
    return FeedToken { entry.cancel() }
  }

  /// Observes the feed forever.
  public func forEach(_ body: @escaping (Value) -> Void) { entries.append(Entry(self, body)) }

  /// Returns a feed with a value for each value of this feed.
  public func map<Other>(_ transform: @escaping (Value) -> Other) -> Feed<Other> {
    let other = Feed<Other>()
    other.source = observe { other.send(transform($0)) }
    return other
  }

  public func send(_ value: Value) {
    for entry in entries { entry.body?(value) }
  }

  fileprivate var source: FeedToken?
}

private final class Entry<Value> {
  var feed: Feed<Value>?
  var body: ((Value) -> Void)?

  init(_ feed: Feed<Value>, _ body: @escaping (Value) -> Void) {
    self.feed = feed
    self.body = body
  }

  func cancel() {
    feed?.entries.removeAll { $0 === self }
    feed = nil
    body = nil
  }
}

/// The end of an observation.
public final class FeedToken {
  private let end: () -> Void

  fileprivate init(_ end: @escaping () -> Void) { self.end = end }

  deinit { end() }

  public func cancel() { end() }
}
