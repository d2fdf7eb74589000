package import TraceFormat

/// A range of times on the axis of all logs.
///
/// A range that a user specifies includes both its ends. A range that is cut into columns excludes
/// its end, because that belongs to the column after the last.
package struct TimeRange: Equatable, Sendable {
  package let start: Nanoseconds
  package let end: Nanoseconds
  /// A Boolean value that indicates whether an event at the exact end is in the range.
  package let includesEnd: Bool

  /// All times.
  package static let always = TimeRange(from: .zero, through: Nanoseconds(.max))

  /// Creates a range that includes its end.
  package init(from start: Nanoseconds, through end: Nanoseconds) {
    self.start = start
    self.end = max(start, end)
    includesEnd = true
  }

  /// Creates a range that excludes its end.
  package init(from start: Nanoseconds, before end: Nanoseconds) {
    self.start = start
    self.end = max(start, end)
    includesEnd = false
  }

  package var duration: Nanoseconds { end.since(start) }
  /// A Boolean value that indicates whether there is a time after the range.
  package var hasEnd: Bool { end != Nanoseconds(.max) }

  package func contains(_ time: Nanoseconds) -> Bool {
    time >= start && !endsBefore(time)
  }

  /// Reports whether a time is after the range.
  package func endsBefore(_ time: Nanoseconds) -> Bool {
    includesEnd ? time > end : time >= end
  }

  /// Reports whether any part of a period, including its last moment, is in the range; nil stands
  /// for a beginning or an end that isn't in the log.
  package func overlaps(_ begin: Nanoseconds?, _ last: Nanoseconds?) -> Bool {
    !endsBefore(begin ?? start) && (last ?? end) >= start
  }
}
