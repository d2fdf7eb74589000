import TraceFormat

/// The latest facts of one kind about each subscription of a log: why it is alive, or what its task
/// waits for. They are separate from the lifecycles, because only a few subscriptions have some.
struct LatestFacts<Fact: Sendable>: Sendable {
  private struct Entry: Sendable {
    let time: Nanoseconds
    let location: TraceRecord.Location
    let fact: Fact

    /// The order of the records does not depend on the order in which they are read: records of a
    /// log that grows may be read late.
    func isLater(than other: Entry) -> Bool {
      (time, location.file, location.offset)
        >= (other.time, other.location.file, other.location.offset)
    }
  }

  private var entries: [UInt64: Entry] = [:]

  mutating func note(
    _ fact: Fact, of subscription: SubscriptionID, _ time: Nanoseconds,
    _ location: TraceRecord.Location
  ) {
    add(Entry(time: time, location: location, fact: fact), of: subscription.number)
  }

  mutating func append(_ next: LatestFacts) {
    guard !entries.isEmpty else { return entries = next.entries }
    for (number, entry) in next.entries { add(entry, of: number) }
  }

  private mutating func add(_ entry: Entry, of number: UInt64) {
    if let known = entries[number], !entry.isLater(than: known) { return }
    entries[number] = entry
  }

  mutating func remove(_ subscription: SubscriptionID) {
    if !entries.isEmpty { entries[subscription.number] = nil }
  }

  mutating func removeAll(where isUnwanted: (UInt64) -> Bool) {
    for number in Array(entries.keys) where isUnwanted(number) { entries[number] = nil }
  }

  /// Returns the facts by the number of the subscription.
  var all: [UInt64: Fact] { entries.mapValues(\.fact) }
}
