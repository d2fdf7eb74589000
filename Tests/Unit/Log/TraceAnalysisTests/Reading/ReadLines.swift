import TestSupport

@testable import TraceAnalysis
@testable import TraceFormat

/// A visitor that records the visited records as text.
struct NotingVisitor: RecordVisitor {
  var notes: [String] = []
  var locations: [TraceRecord.Location] = []
  var damage = Damage()

  mutating func skip(_ kind: Damage.Kind, line: Int) {
    damage.note(kind, line: line)
  }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    locations.append(location)
    notes.append(note(record))
  }
}

/// The result of reading a log from a string.
struct ReadLines {
  var notes: [String]
  var tally: ReadingTally
  var locations: [TraceRecord.Location]
  var damage: Damage
}

/// Reads a string as a log. With a small buffer, lines cross its end.
func readLines(_ bytes: [UInt8], bufferSize: Int = 64) -> ReadLines {
  var visitor = NotingVisitor()
  var reader = LogReader(bufferSize: bufferSize)
  let file = LogSource(name: "test.jsonl", bytes: bytes)
  let tally = try? reader.read(file, visitor: &visitor)
  if let line = tally?.cutLine { visitor.skip(.torn, line: line) }
  return ReadLines(
    notes: visitor.notes, tally: tally ?? ReadingTally(), locations: visitor.locations,
    damage: visitor.damage)
}

extension LogSource {
  /// Opens a file as one of a few files or as one of many.
  convenience init(path: String, staysOpen: Bool) throws(LogError) {
    var spool: SharedDescriptor?
    if staysOpen {
      try self.init(path: path)
    } else {
      try self.init(path: path, unpackingInto: &spool)
    }
  }
}

func readLines(_ text: String) -> ReadLines {
  readLines(Array(text.utf8))
}

func analyze(_ text: String) throws -> LogAnalysis {
  try LogAnalysis.read(LogSource(name: "test.jsonl", bytes: Array(text.utf8)))
}
