import TraceFormat

/// The events that were read and not visited yet.
///
/// With many subscriptions, each event waits for the memory of its subscription. A visitor is
/// notified of all subscriptions first, so that it can begin to load all of that memory at once.
struct UpcomingEvents: ~Copyable {
  private struct Event {
    let moment: TraceRecord.Moment
    let time: Nanoseconds
    let location: TraceRecord.Location
    let kind: LogFormat.Event
  }

  private static let maxCount = 32

  private let events = UnsafeMutablePointer<Event>.allocate(capacity: maxCount)
  private(set) var count = 0

  deinit { events.deallocate() }

  var isFull: Bool {
    @inline(__always) get { count == Self.maxCount }
  }

  /// Adds an event, for which there must be room.
  @inline(__always)
  mutating func add(
    _ event: ElementScanner, _ kind: LogFormat.Event, at location: TraceRecord.Location
  ) {
    (events + count).initialize(
      to: Event(
        moment: event.moment, time: Nanoseconds(event.time), location: location, kind: kind))
    count += 1
  }

  /// Visits and removes all events.
  @inline(__always)
  mutating func deliver(to visitor: inout some RecordVisitor) {
    if count > 0 { deliverAll(to: &visitor) }
  }

  @inline(never)
  private mutating func deliverAll(to visitor: inout some RecordVisitor) {
    for index in 0..<count {
      visitor.prepare(for: events[index].moment.id, isEnd: events[index].kind != .next)
    }
    for index in 0..<count {
      let event = events + index
      if case .next = event.pointee.kind {
        visitor.visitElement(event.pointee.moment, at: event.pointee.time, event.pointee.location)
      } else {
        visitor.visitEnd(
          event.pointee.kind, event.pointee.moment, at: event.pointee.time,
          event.pointee.location)
      }
    }
    count = 0
  }
}
