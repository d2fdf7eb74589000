package import TerminalUI
package import TraceAnalysis
import TraceFormat

/// A writer that makes a repaired copy of a log, which every reader of JSON Lines accepts and in
/// which the viewer finds no damage.
///
/// The analysis of the log, from an earlier pass, shows what its subscriptions lack. The repair
/// reads the lines again and copies them one by one. A repaired log does not prove more than the
/// damaged one: where a record may be missing, the new log contains a `lost` record.
package struct LogRepair: ~Copyable {
  private let analysis: LogAnalysis
  private let file: LogSource
  private let output: Output
  private var cursor = SectionCursor()
  private var part = RepairedPart()
  /// The part in which the beginning of each subscription was written. The keys are indices in
  /// `LogAnalysis.lifecycles`.
  private var begun: [Int: Int] = [:]
  private var partNumber = 0
  /// The number of a line that stops in the middle. The line is torn if it is the last one.
  private var cutLine: Int?
  package private(set) var tally = RepairTally()
  package private(set) var records = 0

  package init(_ file: LogSource, _ analysis: LogAnalysis, to output: Output) {
    self.file = file
    self.analysis = analysis
    self.output = output
  }

  /// Runs the repair. Stops when the output can't be written; the output has the error.
  package mutating func run(_ lines: LogLines) throws(LogError) {
    // The id of a new header is a hash of the bytes, so that each repair creates the same log.
    let trace =
      analysis.sections.contains { $0.damage[.missingHeader] != nil }
      ? try ContentHash.digits(of: file) : nil
    if let fault = file.packingFault, let kind = RepairTally.Kind(fault.kind) {
      tally.note(kind, line: fault.line)
    }
    var lines = lines
    var parser = RecordParser()
    try lines.forEach { line, text in
      notePadding(line, isBlank: text.isEmpty)
      guard !line.isTooLong else {
        drop(.tooLong, line.number)
        return true
      }
      guard !text.isEmpty else { return true }
      noteCutLine(.malformed)
      do throws(LineFault) {
        take(try parser.parse(text), line, text, trace)
        if !line.isEnded { tally.note(.unended, line: line.number) }
      } catch {
        switch error {
        case .cut: cutLine = line.number
        case .malformed: drop(.malformed, line.number)
        case .incomplete: drop(.incomplete, line.number)
        }
      }
      return output.failure == nil
    }
    noteCutLine(.torn)
    finishPart()
  }

  private mutating func noteCutLine(_ kind: RepairTally.Kind) {
    guard let line = cutLine else { return }
    cutLine = nil
    drop(kind, line)
  }

  private mutating func notePadding(_ line: LogLines.Line, isBlank: Bool) {
    if isBlank, !line.isTooLong, !line.padding.contains(.nul) {
      return tally.note(.blank, line: line.number)
    }
    for (padding, kind) in [
      (.byteOrderMark, .byteOrderMark), (.nul, .nul), (.carriageReturn, .carriageReturn),
      (.space, .space),
    ] as [(LogLines.Padding, RepairTally.Kind)] where line.padding.contains(padding) {
      tally.note(kind, line: line.number)
    }
  }

  private mutating func drop(_ kind: RepairTally.Kind, _ line: Int) {
    tally.note(kind, line: line)
    part.isChanged = true
    if kind.mayBeRecord { part.dropped += 1 }
  }

  private mutating func take(
    _ record: TraceRecord, _ line: LogLines.Line, _ text: UnsafeBufferPointer<UInt8>,
    _ trace: String?
  ) {
    let location = TraceRecord.Location(line: line.number, offset: line.offset, length: text.count)
    let log = cursor.log(of: location, in: analysis)
    if case .trace = record.body {
      finishPart()
      // Skipped lines before a header are counted with the part after it.
      let dropped = part.records == 0 ? part.dropped : 0
      part = RepairedPart()
      part.dropped = dropped
      part.isChanged = dropped > 0
      part.hasHeader = true
      partNumber += 1
    }
    guard let log else {
      part.isLeftOut = true
      let isBeforeGap = cursor.damage(of: location, in: analysis)?[.beforeGap] != nil
      return tally.note(isBeforeGap ? .beforeGap : .repeated, line: line.number)
    }
    recordPackingFault(cursor.damage(of: location, in: analysis))
    if !part.hasHeader, let trace {
      write(RepairLines.header(trace: trace))
      tally.note(.header, line: line.number)
      part.hasHeader = true
      part.isChanged = true
    }
    part.count(record)
    guard fits(record, log, line.number) else { return }
    complete(record, log, line.number)
    if part.isClosed, !part.endIsMoved, !record.body.closes {
      part.endIsMoved = true
      part.isChanged = true
      tally.note(.movedEnd, line: part.closingLine)
    }
    let copy = String(decoding: text, as: UTF8.self)
    if !copy.utf8.elementsEqual(text) { tally.note(.invalidText, line: line.number) }
    if let earlier = part.hold(copy, record, line.number) { write(earlier) }
  }

  private mutating func recordPackingFault(_ damage: Damage?) {
    guard !part.isUnpackedInPart, let damage else { return }
    let kinds: [Damage.Kind] = [.packingCut, .packingDamaged, .packingTrailed]
    guard kinds.contains(where: { damage[$0] != nil }) else { return }
    part.isUnpackedInPart = true
    part.isChanged = true
  }

  /// Reports whether a record fits the records before it. A record that does not fit is left out.
  /// Records after the end of a subscription stay, because they show what the program did wrong.
  private mutating func fits(_ record: TraceRecord, _ log: Int, _ line: Int) -> Bool {
    switch record.body {
    case .end, .continued:
      return closes(record, line)
    case .subscribe(let subscribe):
      guard let index = analysis.index(of: subscribe.id, log: log) else { return true }
      guard let first = begun[index] else {
        begun[index] = partNumber
        return true
      }
      tally.note(.secondBeginning, line: line)
      part.isChanged = true
      if analysis.lifecycles[index].beginsTwice {
        part.contradictions += 1
      } else if first == partNumber {
        part.repetitions += 1
      }
      return false
    default:
      return true
    }
  }

  /// Reports whether a line that closes a log stays. If there are two, the `end` record stays.
  private mutating func closes(_ record: TraceRecord, _ line: Int) -> Bool {
    guard part.isClosed else { return true }
    tally.note(.secondEnd, line: line)
    part.isChanged = true
    if case .end = record.body { return !part.isEnded }
    return false
  }

  /// Writes the beginning of a subscription whose beginning is not in the log, in the same way as
  /// the next file of a log does.
  private mutating func complete(_ record: TraceRecord, _ log: Int, _ line: Int) {
    guard let id = RepairLines.subscription(of: record),
      let index = analysis.index(of: id, log: log), begun[index] == nil
    else { return }
    let lifecycle = analysis.lifecycles[index]
    guard !lifecycle.hasBeginning else { return }
    begun[index] = partNumber
    let start = lifecycle.start.since(Nanoseconds(analysis.logs[log].offset))
    write(RepairLines.alive(id, lane: lifecycle.site.lane, at: start))
    tally.note(.beginning, line: line)
    part.isChanged = true
  }

  private mutating func finishPart() {
    guard !part.isLeftOut, part.records > 0 else { return }
    if let lost = part.lost {
      write(RepairLines.lost(lost, at: part.lastTime))
      tally.note(.lost, line: part.closingLine)
    }
    if let last = part.lastLine { write(last) }
  }

  private mutating func write(_ line: String) {
    output.write(line + "\n")
    records += 1
    part.written += 1
  }
}

extension TraceRecord.Body {
  /// A Boolean value that indicates whether the record is the last line of a log or of one of its
  /// files.
  fileprivate var closes: Bool {
    switch self {
    case .end, .continued: true
    default: false
    }
  }
}
