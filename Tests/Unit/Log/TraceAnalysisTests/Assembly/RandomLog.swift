import TestSupport

@testable import TraceAnalysis
@testable import TraceFormat

/// Random logs that depend only on the seed, and the events that a plain loop finds in them.
struct RandomLog {
  let files: [LogSource]

  /// - Parameters:
  ///
  ///   - disorder: The maximum number of nanoseconds by which a record may be early or late.
  ///
  ///   - step: The maximum distance between records, in nanoseconds.
  init(
    seed: UInt64, files: Int = 1, records: Int = 400, subscriptions: Int = 12,
    disorder: Int = 0, step: Int = 1000
  ) {
    self.files = (0..<files).map { file in
      var numbers = FixedNumbers(seed: seed &+ UInt64(file))
      var text = ""
      // Some files contain two logs.
      for part in 0..<(1 + Int(seed % 2)) {
        let log = Self.lines(&numbers, records, subscriptions, disorder, step)
        text += SampleLog.ofAnother(
          log, process: file * 2 + part + 1, secondsLater: Int.random(in: 0...2, using: &numbers))
      }
      return LogSource(name: "\(file).jsonl", bytes: Array(text.utf8))
    }
  }

  private static func lines(
    _ numbers: inout FixedNumbers, _ records: Int, _ subscriptions: Int, _ disorder: Int,
    _ step: Int
  ) -> String {
    var time = 0
    let lines = (0..<records).map { _ in
      time += Int.random(in: 0...step, using: &numbers)
      let at = max(0, time + Int.random(in: -disorder...disorder, using: &numbers))
      let id = Int.random(in: 1...subscriptions, using: &numbers)
      switch Int.random(in: 0..<40, using: &numbers) {
      case 0:
        let other = Int.random(in: 1...subscriptions, using: &numbers)
        return SampleLog.subscribe(
          id, "lane", at: at,
          #","parent":\#(other),"observed":"call.\#(other % 4)""#
            + (other == 1 ? #","lifetime":"process""# : ""))
      case 1: return SampleLog.end("disposed", id, "lane", at: at)
      case 2: return #"{"t":\#(at),"event":"breakpoint","sub":\#(id),"lane":"lane","on":"next"}"#
      case 3: return #"{"t":\#(at),"event":"mark","name":"m\#(at)"}"#
      case 4: return #"{"t":\#(at),"event":"scope-begin","scope":\#(id),"name":"s\#(at)"}"#
      case 5:
        let name = at.isMultiple(of: 2) ? #","name":"later \#(at)""# : ""
        return #"{"t":\#(at),"event":"scope-end","scope":\#(id)\#(name)}"#
      case 6: return #"{"t":\#(at),"event":"thread","thread":\#(id),"name":"w"}"#
      case 7: return "noise \(at)"
      case 8: return ""
      case 9: return " \(SampleLog.next(id, "lane", at: at, "spaced")) \r"
      case 10: return #"{"t":\#(at),"event":"of-later","sub":\#(id)}"#
      case 11: return RetainedLog.retained(id, at: at, path: ["s\(at)"])
      case 12:
        let source = #","source":"F.swift:\#(at)""#
        return #"{"t":\#(at),"event":"place","lane":"call.\#(id % 4)"\#(id > 3 ? source : "")}"#
      case 13:
        let wait = ["task", "group", "continuation", "executor", "lock"][id % 5]
        return
          #"{"t":\#(at),"event":"suspended","sub":\#(id),"lane":"lane","source":"F.swift:\#(at)","#
          + #""wait":"\#(wait)","awaits":[{"sub":\#(id % 3 + 1)}]}"#
      case 14: return #"{"t":\#(at),"event":"resumed","sub":\#(id),"lane":"lane"}"#
      default: return SampleLog.next(id, "lane", at: at, String(repeating: "e", count: id * 9))
      }
    }
    return SampleLog.make(lines, end: time)
  }

  /// Returns all events of subscriptions, marks and scopes, ordered by position.
  static func events(of analysis: LogAnalysis) throws -> [LogEvent] {
    var events: [LogEvent] = []
    for (index, file) in analysis.files.enumerated() {
      var plain = PlainEvents(analysis: analysis)
      var reader = LogReader()
      _ = try reader.read(file, index: index, visitor: &plain)
      events += plain.events
    }
    return events.sorted { $0.position < $1.position }
  }
}

private struct PlainEvents: RecordVisitor {
  let analysis: LogAnalysis
  var events: [LogEvent] = []

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    guard let log = analysis.sections[analysis.section(of: location)].log,
      let event = LogEvent(
        record, record.time.after(analysis.logs[log].offset), location, log: log, analysis,
        limit: 1024),
      event.lifecycle != nil || event.isNote
    else { return }
    events.append(event)
  }
}

/// Reads a log to its end, batch by batch.
func readToEnd(_ log: GrowingLog) throws -> [LogSnapshot] {
  var snapshots: [LogSnapshot] = []
  while let snapshot = try log.advance() { snapshots.append(snapshot) }
  return snapshots
}

func snapshot(of files: [LogSource], firstBatch: Int = 1000) throws -> LogSnapshot? {
  try readToEnd(GrowingLog(files, firstBatch: firstBatch)).last
}
