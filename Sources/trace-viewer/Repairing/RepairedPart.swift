import TraceAnalysis
import TraceFormat

/// What a repair has to know of a log until its end: each header begins another one.
struct RepairedPart {
  var hasHeader = false
  /// A copy of what was written already, or a file behind which one is missing.
  var isLeftOut = false
  /// Whether anything was left out, added or moved.
  var isChanged = false
  /// Lines that were left out and may have been records.
  var dropped = 0
  /// Beginnings that were there twice, as copies of a line.
  var repetitions = 0
  /// Beginnings that were left out because another subscription has their number.
  var contradictions = 0
  /// Whether more than can be told is missing, or untrue.
  var isUnpackedInPart = false
  var endIsMoved = false
  /// Lines of the new log.
  var written = 0
  private(set) var records = 0
  private var afterEnd = 0
  private(set) var lastTime = Nanoseconds.zero
  /// The last line of a log or of one of its files, held back until everything else is written.
  private var closing: Closing?
  private(set) var closingLine = 1
  private(set) var isEnded = false

  /// Counts a record as the recorder did.
  mutating func count(_ record: TraceRecord) {
    records += 1
    if isEnded { afterEnd += 1 }
    lastTime = max(lastTime, record.time)
  }

  /// Holds a line back if it is the one that closes the log; returns the line that is to be written now.
  mutating func hold(_ text: String, _ record: TraceRecord, _ line: Int) -> String? {
    switch record.body {
    case .end(let records, let lost):
      close(.init(.end, text, record.time, records, lost), line)
      isEnded = true
      return nil
    case .continued(let records, let lost):
      close(.init(.continued, text, record.time, records, lost), line)
      return nil
    default:
      if closing == nil { closingLine = line }
      return text
    }
  }

  /// Whether a line that closes the log is held back.
  var isClosed: Bool { closing != nil }

  private mutating func close(_ next: Closing, _ line: Int) {
    closing = next
    closingLine = line
  }

  /// The last line, once all others are written. Of a part that was changed it counts what was written: what is gone the
  /// `lost` record tells, and would otherwise be told twice. Records of another log stay as many more than were counted.
  var lastLine: String? {
    guard let closing else { return nil }
    let count = max(0, written - (account?.extra ?? 0))
    guard isChanged, let counted = closing.counted, counted != UInt64(count) else {
      return closing.text
    }
    return RepairLines.closing(
      closing.event, at: closing.time, records: count, lost: closing.lost)
  }

  /// How many records may be gone, where the repaired log would not show it by itself.
  ///
  /// A recorder that counted its records tells whether a line that was left out was one.
  var lost: Int? {
    guard isChanged else { return nil }
    var lost = dropped
    if let missing = account?.missing { lost = missing == 0 ? 0 : max(missing, dropped) }
    lost += contradictions
    if isUnpackedInPart { lost = max(lost, 1) }
    return lost > 0 ? lost : nil
  }

  /// How many of the records that the recorder counted are not there, and how many more there are than it counted, which are of
  /// another log; nil where it did not count.
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
  /// A line that closes a log or one of its files, as it stands there.
  private struct Closing {
    let event: LogFormat.Event
    let text: String
    let time: Nanoseconds
    /// The records before it, where the recorder counted them.
    let counted: UInt64?
    let lost: UInt64

    init(
      _ event: LogFormat.Event, _ text: String, _ time: Nanoseconds, _ counted: UInt64?,
      _ lost: UInt64
    ) {
      self.event = event
      self.text = text
      self.time = time
      self.counted = counted
      self.lost = lost
    }
  }
}
