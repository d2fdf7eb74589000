import TraceFormat

/// The last events of each requested subscription, from anywhere in the log.
package struct RecentEvents: Sendable {
  /// The events in the order of the requested subscriptions; the latest event comes last.
  package let events: [[Lifecycle.LastEvent]]

  /// Reads the files again to find the events.
  ///
  /// - Parameters:
  ///   - members: The indices of the subscriptions in `LogAnalysis.lifecycles`.
  ///   - maxCount: The maximum number of events for each subscription.
  package init(_ log: LogAnalysis, of members: some RandomAccessCollection<Int>, maxCount: Int)
    throws(LogError)
  {
    events = try log.scan(EventGathering(log, members, maxCount: maxCount)).events
  }
}

/// A visitor that keeps the latest events of each subscription. Of events with equal times, it
/// keeps those that come later in the log.
struct EventGathering: MergingVisitor {
  private let log: LogAnalysis
  private let maxCount: Int
  /// The slot of each subscription; -1 for subscriptions without one.
  private var slotOf: [Int32]
  private(set) var events: [[Lifecycle.LastEvent]]
  private var section = SectionCursor()

  init(_ log: LogAnalysis, _ members: some RandomAccessCollection<Int>, maxCount: Int) {
    self.log = log
    self.maxCount = maxCount
    slotOf = Array(repeating: -1, count: log.lifecycles.count)
    for (slot, index) in members.enumerated() { slotOf[index] = Int32(clamping: slot) }
    events = Array(repeating: [], count: members.count)
  }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    guard let (kind, moment) = record.body.moment,
      let (number, index) = section.subscription(moment.id, at: location, in: log),
      slotOf[index] >= 0
    else { return }
    let time = record.time.after(log.logs[number].offset)
    keep(Lifecycle.LastEvent(time: time, location: location, kind: kind), Int(slotOf[index]))
  }

  private mutating func keep(_ event: Lifecycle.LastEvent, _ slot: Int) {
    let known = events[slot]
    if known.count == maxCount, let first = known.first, event.time < first.time { return }
    // The event nearly always belongs after all others, so the search runs backward.
    let index = (known.lastIndex { $0.time <= event.time } ?? -1) + 1
    events[slot].insert(event, at: index)
    if events[slot].count > maxCount { events[slot].removeFirst() }
  }

  mutating func append(_ next: consuming EventGathering, lines: Int) {
    for slot in events.indices {
      for var event in next.events[slot] {
        event.location = event.location.moved(byLines: lines)
        keep(event, slot)
      }
    }
  }
}
