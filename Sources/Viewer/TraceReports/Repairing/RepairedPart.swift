import TraceAnalysis
import TraceFormat

/// The state of a repair from one header to the next. Each header begins another log.
struct RepairedPart {
  var hasHeader = false
  /// A Boolean value that indicates whether the part is left out, because it is a copy of an
  /// earlier one or precedes a missing file.
  var isLeftOut = false
  /// A Boolean value that indicates whether anything was left out, added or moved.
  var isChanged = false
  /// The number of lines that were left out and may have been records.
  var dropped = 0
  /// The number of repeated beginnings that are copies of a line.
  var repetitions = 0
  /// The number of beginnings that were left out because another subscription has their number.
  var contradictions = 0
  /// A Boolean value that indicates whether an unknown amount of data is missing or wrong.
  var isUnpackedInPart = false
  var endIsMoved = false
  /// The number of lines in the new log.
  var written = 0
  private(set) var records = 0
  private var afterEnd = 0
  private(set) var lastTime = Nanoseconds.zero
  /// The last line of a log or of one of its files, held back until everything else is written.
  private var closing: Closing?
  private(set) var closingLine = 1
  private(set) var isEnded = false

  /// Counts a record in the same way as the recorder.
  mutating func count(_ record: TraceRecord) {
    records += 1
    if isEnded { afterEnd += 1 }
    lastTime = max(lastTime, record.time)
  }

  /// Holds back a line that closes the log. Returns the line to write now.
  mutating func hold(_ text: String, _ record: TraceRecord, _ line: Int) -> String? {
    switch record.body {
    case .end(let records, let lost, _, let limit):
      close(.init(.end, text, record.time, records, lost, limit?.reason), line)
      isEnded = true
      return nil
    case .continued(let records, let lost):
      close(.init(.continued, text, record.time, records, lost, nil), line)
      return nil
    default:
      if closing == nil { closingLine = line }
      return text
    }
  }

  /// A Boolean value that indicates whether a line that closes the log is held back.
  var isClosed: Bool { closing != nil }

  private mutating func close(_ next: Closing, _ line: Int) {
    closing = next
    closingLine = line
  }

  /// The last line, to be written after all others. In a changed part, it counts the records that
  /// were written. The `lost` record already reports missing records, which would otherwise be
  /// counted twice. Records of another log still exceed the count.
  var lastLine: String? {
    guard let closing else { return nil }
    let count = max(0, written - (account?.extra ?? 0))
    guard isChanged, let counted = closing.counted, counted != UInt64(count) else {
      return closing.text
    }
    return RepairLines.closing(
      closing.event, at: closing.time, records: count, lost: closing.lost, reason: closing.reason)
  }

  /// The number of records that may be missing, if the repaired log would not show it otherwise.
  ///
  /// If the recorder counted its records, the count shows whether lines that were left out were
  /// records.
  var lost: Int? {
    guard isChanged else { return nil }
    var lost = dropped
    if let missing = account?.missing { lost = missing == 0 ? 0 : max(missing, dropped) }
    lost += contradictions
    if isUnpackedInPart { lost = max(lost, 1) }
    return lost > 0 ? lost : nil
  }

  /// The number of missing records among those that the recorder counted, and the number of excess
  /// records, which belong to another log. The value is `nil` if the recorder did not count.
  private var account: (missing: Int, extra: Int)? {
    guard let counted = closing?.counted else { return nil }
    let found = UInt64(max(0, records - 1 - afterEnd))
    let others = found - min(found, UInt64(repetitions))
    return (
      Int(clamping: counted > found ? counted - found : 0),
      Int(clamping: others > counted ? others - counted : 0)
    )
  }
}

extension RepairedPart {
  /// A line that closes a log or one of its files, in its original form.
  private struct Closing {
    let event: LogFormat.Event
    let text: String
    let time: Nanoseconds
    /// The number of records before it, if the recorder counted them.
    let counted: UInt64?
    let lost: UInt64
    /// Why it isn't known which tasks can continue, if it isn't.
    let reason: String?

    init(
      _ event: LogFormat.Event, _ text: String, _ time: Nanoseconds, _ counted: UInt64?,
      _ lost: UInt64, _ reason: String?
    ) {
      self.event = event
      self.text = text
      self.time = time
      self.counted = counted
      self.lost = lost
      self.reason = reason
    }
  }
}
