import TraceFormat

/// The latest reason why each subscription of a log is alive. It is separate from the lifecycles,
/// because only a few subscriptions have one.
struct RetentionTable: Sendable {
  private struct Entry: Sendable {
    let time: Nanoseconds
    let location: TraceRecord.Location
    let retention: Retention

    /// The order of the records does not depend on the order in which they are read: records of a
    /// log that grows may be read late.
    func isLater(than other: Entry) -> Bool {
      (time, location.file, location.offset)
        >= (other.time, other.location.file, other.location.offset)
    }
  }

  private var entries: [UInt64: Entry] = [:]

  mutating func note(
    _ record: TraceRecord.Retained, _ time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    let entry = Entry(time: time, location: location, retention: Retention(record.retention))
    add(entry, of: record.id.number)
  }

  mutating func append(_ next: RetentionTable) {
    guard !entries.isEmpty else { return entries = next.entries }
    for (number, entry) in next.entries { add(entry, of: number) }
  }

  private mutating func add(_ entry: Entry, of number: UInt64) {
    if let known = entries[number], !entry.isLater(than: known) { return }
    entries[number] = entry
  }

  /// Returns the retentions by the number of the subscription.
  var all: [UInt64: Retention] { entries.mapValues(\.retention) }
}
