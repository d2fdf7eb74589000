import TraceAnalysis

/// The subscriptions whose events are requested.
enum EventScope: Equatable, Sendable {
  /// One subscription, by its index in the lifecycles.
  case subscription(Int)
  /// The subscriptions of a line of the timeline.
  case row(TimelineRows.Item)
  /// All rows of a lane, by its index in the rows of the timeline.
  case lane(Int)
  /// Everything that passes the filter.
  case shown
}

/// A request for the events around a position.
struct EventRequest: Equatable, Sendable {
  var scope: EventScope
  var position: LogEvent.Position
  var before: Int
  var after: Int
  /// A Boolean value that indicates whether all keys of the event at the position are requested.
  var wantsFields = false
  /// The revision of the log. Another revision may have more events.
  var revision: Int
  /// The revision of the timeline's lines. The rows of other revisions can differ.
  var listRevision: Int
}

/// The events for a request.
struct EventPage: Sendable {
  var request: EventRequest?
  /// The events in the order of their positions.
  var events: [LogEvent] = []
  /// The index of the last event at or before the position.
  var current: Int?
  /// All keys of the current event, as they are in the log.
  var fields: [(key: String, value: String)] = []
}

/// A request for the next or previous event.
struct EventSearchRequest: Equatable, Sendable {
  enum Purpose: Equatable, Sendable {
    /// The cursor goes to the event.
    case point
    /// The replay goes to the event.
    case step
  }

  var scope: EventScope
  var position: LogEvent.Position
  var forward: Bool
  var purpose: Purpose
}

extension LogEvent.Position {
  /// The position just before the event at this position and after all earlier ones.
  var justBefore: LogEvent.Position {
    LogEvent.Position(time: time, file: file, offset: offset - 1)
  }

  /// The position just after the event at this position and before all later ones.
  var justAfter: LogEvent.Position {
    LogEvent.Position(time: time, file: file, offset: offset == .max ? .max : offset + 1)
  }
}
