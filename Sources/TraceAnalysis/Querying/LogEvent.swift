package import TraceFormat

/// One record, as far as it is shown in a list of events.
package struct LogEvent: Equatable, Sendable {
  /// Where it stands among all events: ordered by time, and where that is the same by place.
  package struct Position: Comparable, Hashable, Sendable {
    package let time: Nanoseconds
    package let file: Int
    package let offset: Int

    package init(time: Nanoseconds, file: Int, offset: Int) {
      self.time = time
      self.file = file
      self.offset = offset
    }

    /// Before all that happens at a time, or later.
    package init(before time: Nanoseconds) {
      self.init(time: time, file: -1, offset: -1)
    }

    /// Behind all that happened up to a time.
    package init(after time: Nanoseconds) {
      self.init(time: time, file: .max, offset: .max)
    }

    package static func < (left: Position, right: Position) -> Bool {
      (left.time, left.file, left.offset) < (right.time, right.file, right.offset)
    }
  }

  package let kind: LogFormat.Event
  /// On the axis of all logs.
  package let time: Nanoseconds
  package let place: TraceRecord.Place
  /// Its place in `LogAnalysis.lifecycles`; nil for what belongs to no subscription.
  package let lifecycle: Int?
  package let thread: UInt64?
  /// The element, the error, or the name of a mark or a scope.
  package let text: String?
  /// Whether there is more of the text in the log.
  package let isCut: Bool
  /// The bytes that the whole text had which the recorder cut.
  package let truncated: UInt64?

  package var position: Position {
    Position(time: time, file: place.file, offset: place.offset)
  }
}
