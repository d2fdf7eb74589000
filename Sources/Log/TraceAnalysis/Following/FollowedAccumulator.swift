import TraceFormat

/// The content of one part of a log that is still being written.
///
/// It skips lines that are not records, because they may become records. It holds back the last
/// line of a log, because records before that line may be found later.
struct FollowedAccumulator: MergingVisitor {
  private(set) var indexed = IndexedAccumulator()
  var gaps = GapTracker()
  private var ending: Ending?
  /// The records that were visited late, in the order in which they were found.
  private var late: [TraceRecord.Location] = []

  /// The last line of a log or of a file.
  private struct Ending: Sendable {
    let time: Nanoseconds
    var location: TraceRecord.Location
    let records: UInt64?
    let lost: UInt64
    let taskLimit: Retention.Limit?
    let continues: Bool

    var record: TraceRecord {
      TraceRecord(
        time: time,
        body: continues
          ? .continued(records: records, lost: lost)
          : .end(records: records, lost: lost, searched: nil, taskLimit: taskLimit))
    }
  }

  /// A Boolean value that indicates whether the last record is the last of its file and has not
  /// been reported yet.
  var hasEnding: Bool { ending != nil }
  /// A Boolean value that indicates whether the last record reports that the log continues in
  /// another file.
  private(set) var continuesInNextFile = false

  var preparesEvents: Bool {
    @inline(__always) get { indexed.preparesEvents }
  }

  @inline(__always)
  func prepare(for id: SubscriptionID, isEnd: Bool) { indexed.prepare(for: id, isEnd: isEnd) }

  @inline(__always)
  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    if ending != nil { reportEnding() }
    gaps.note(location)
    indexed.visitElement(moment, at: time, location)
  }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    guard !record.isUnfinished else { return }
    reportEnding()
    gaps.note(location)
    switch record.body {
    case .end(let records, let lost, _, let taskLimit):
      ending = Ending(
        time: record.time, location: location, records: records, lost: lost, taskLimit: taskLimit,
        continues: false)
    case .continued(let records, let lost):
      ending = Ending(
        time: record.time, location: location, records: records, lost: lost, taskLimit: nil,
        continues: true)
    default:
      indexed.visit(record, at: location)
    }
  }

  /// Visits a record that precedes records that were already read.
  mutating func visitLate(_ record: TraceRecord, at location: TraceRecord.Location) {
    late.append(location)
    indexed.visit(record, at: location)
  }

  /// Returns the records that were visited late since the last call.
  mutating func takeLate() -> [TraceRecord.Location] {
    defer { late.removeAll() }
    return late
  }

  mutating func skipLate(_ kind: Damage.Kind, line: Int) {
    indexed.skip(kind, line: line)
  }

  /// Reports the last line, after everything that precedes it has been found.
  @inline(never)
  mutating func reportEnding() {
    guard let ending else { return }
    self.ending = nil
    continuesInNextFile = ending.continues
    indexed.visit(ending.record, at: ending.location)
  }

  mutating func append(_ next: consuming FollowedAccumulator, lines: Int) {
    if next.gaps.end > 0 {
      reportEnding()
      continuesInNextFile = next.continuesInNextFile
    }
    gaps.append(next.gaps, lines: lines)
    indexed.append(next.indexed, lines: lines)
    ending = next.ending ?? ending
    if next.ending != nil { ending?.location.move(byLines: lines) }
  }

  mutating func finish() {
    indexed.finish()
  }

  /// Begins another file, which contains everything that follows.
  mutating func begin(file: Int) {
    gaps.begin(file: file)
    continuesInNextFile = false
  }

  /// Sorts the records that were read late into the index.
  mutating func settle() {
    indexed.settle()
  }

  /// Adds `lines`, which is usually negative, to the line numbers after `offset` in a file.
  mutating func moveLines(of file: Int, after offset: Int, by lines: Int) {
    for index in gaps.gaps.indices.reversed()
    where gaps.gaps[index].file == file && gaps.gaps[index].range.lowerBound >= offset {
      gaps.gaps[index].line += lines
    }
    gaps.moveLines(of: file, after: offset, by: lines)
    indexed.moveLines(of: file, after: offset, by: lines)
  }
}
