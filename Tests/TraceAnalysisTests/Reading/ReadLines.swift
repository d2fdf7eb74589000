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
    notes.append("\(record.time.count) \(word(record.body))")
  }

  private func word(_ body: TraceRecord.Body) -> String {
    switch body {
    case .trace(let header): "trace \(header.process ?? "nil") \(header.pid ?? 0)"
    case .thread(let number, let name): "thread \(number) \(name?.string ?? "nil")"
    case .subscribe(let line):
      "subscribe \(line.id) \(line.lane?.string ?? "nil") \(line.parent?.description ?? "-")"
    case .alive(let line): "alive \(line.id) \(line.lane?.string ?? "nil")"
    case .place(let lane, let source, let function):
      "place \(lane.string) \(source?.string ?? "nil") \(function?.string ?? "nil")"
    case .retained(let line):
      "retained \(line.id) \(line.retention.kind) \(line.retention.steps.map(RetentionWords.name))"
    case .changed(let line):
      "changed \(line.id) \(line.parent?.description ?? "-") \(line.isShared)"
    case .continued(let records, let lost): "continued \(records ?? 0) \(lost)"
    case .next(let line): "next \(line.id) \(line.text?.string ?? "nil")"
    case .completed(let line): "completed \(line.id)"
    case .failed(let line): "failed \(line.id) \(line.text?.string ?? "nil")"
    case .disposed(let line): "disposed \(line.id)"
    case .released(let line): "released \(line.id)"
    case .breakpoint(let line): "breakpoint \(line.id)"
    case .mark(let name): "mark \(name?.string ?? "nil")"
    case .scopeBegin(let number, let name): "scope-begin \(number) \(name?.string ?? "nil")"
    case .scopeEnd(let number): "scope-end \(number)"
    case .lost(let count, let reason): "lost \(count) \(reason?.string ?? "nil")"
    case .end(let records, let lost): "end \(records ?? 0) \(lost)"
    case .unknown: "unknown"
    }
  }
}

/// The result of reading a text.
struct ReadLines {
  var notes: [String]
  var tally: ReadingTally
  var locations: [TraceRecord.Location]
  var damage: Damage
}

/// Reads a text as a log. With a small buffer, lines cross its end.
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
