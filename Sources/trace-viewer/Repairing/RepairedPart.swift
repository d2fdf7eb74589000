internal import ReactiveTrace

/// What a repair has to know of a log until its end: each header begins another one.
struct RepairedPart {
  var hasHeader = false
  /// A copy of what was written already.
  var isRepeated = false
  /// Whether anything was left out, added or moved.
  var isChanged = false
  /// Lines that were left out and may have been records.
  var dropped = 0
  var endIsMoved = false
  private(set) var records = 0
  private var afterEnd = 0
  private(set) var lastTime = Nanoseconds.zero
  /// The last line of a log or of one of its files, held back until everything else is written.
  private(set) var closing: String?
  private(set) var closingLine = 1
  private(set) var isEnded = false
  private var counted: UInt64?

  /// Counts a record as the recorder did.
  mutating func count(_ record: TraceRecord) {
    records += 1
    if isEnded { afterEnd += 1 }
    lastTime = max(lastTime, record.time)
  }

  /// Holds a line back if it is the one that closes the log; returns the line that is to be written now.
  mutating func hold(_ text: String, _ record: TraceRecord, _ line: Int) -> String? {
    switch record.body {
    case .end(let records, _):
      defer { isEnded = true }
      return close(text, records, line)
    case .continued(let records, _) where closing == nil:
      return close(text, records, line)
    default:
      if closing == nil { closingLine = line }
      return text
    }
  }

  private mutating func close(_ text: String, _ records: UInt64?, _ line: Int) -> String? {
    defer {
      closing = text
      closingLine = line
      counted = records
    }
    return closing
  }

  /// How many records may be gone, where the repaired log would not show it by itself.
  ///
  /// A recorder that counted its records tells whether a line that was left out was one.
  var lost: Int? {
    guard isChanged else { return nil }
    var lost = dropped
    if let counted {
      let found = UInt64(max(0, records - 1 - afterEnd))
      let missing = counted > found ? Int(clamping: counted - found) : 0
      lost = missing == 0 ? 0 : max(missing, dropped)
    }
    return lost > 0 ? lost : nil
  }
}
