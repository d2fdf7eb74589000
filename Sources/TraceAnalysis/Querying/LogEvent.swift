package import TraceFormat

/// One record, as far as a list of events shows it.
package struct LogEvent: Equatable, Sendable {
  /// The position of an event among all events, ordered by time and then by location.
  package struct Position: Comparable, Hashable, Sendable {
    package let time: Nanoseconds
    package let file: Int
    package let offset: Int

    package init(time: Nanoseconds, file: Int, offset: Int) {
      self.time = time
      self.file = file
      self.offset = offset
    }

    /// Creates a position before all events at a time or later.
    package init(before time: Nanoseconds) {
      self.init(time: time, file: -1, offset: -1)
    }

    /// Creates a position after all events up to a time.
    package init(after time: Nanoseconds) {
      self.init(time: time, file: .max, offset: .max)
    }

    package static func < (left: Position, right: Position) -> Bool {
      (left.time, left.file, left.offset) < (right.time, right.file, right.offset)
    }
  }

  package let kind: LogFormat.Event
  /// The time on the axis of all logs.
  package let time: Nanoseconds
  package let location: TraceRecord.Location
  /// The index in `LogAnalysis.lifecycles`; nil for an event that belongs to no subscription.
  package let lifecycle: Int?
  package let thread: UInt64?
  /// The element, the error, or the name of a mark or a scope.
  package let text: String?
  /// A Boolean value that indicates whether the log has more of the text.
  package let isCut: Bool
  /// The number of bytes of the whole text, if the recorder truncated it.
  package let truncated: UInt64?

  package var position: Position {
    Position(time: time, file: location.file, offset: location.offset)
  }
}
