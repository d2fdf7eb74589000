import TraceFormat

/// What a stretch of a log says that is still being written.
///
/// Lines that are no records are passed over: they may become some. The last line of a log is kept back, because records that
/// stand before it may be found after it.
struct FollowedAccumulator: MergingVisitor {
  private(set) var indexed = IndexedAccumulator()
  var gaps = GapTracker()
  private var ending: Ending?

  /// The last line of a log, or of a file.
  private struct Ending: Sendable {
    let time: Nanoseconds
    var place: TraceRecord.Place
    let records: UInt64?
    let lost: UInt64
    let continues: Bool

    var record: TraceRecord {
      TraceRecord(
        time: time,
        body: continues
          ? .continued(records: records, lost: lost) : .end(records: records, lost: lost))
    }
  }

  /// Whether the last record is the last of its file, and was not yet told of.
  var hasEnding: Bool { ending != nil }
  /// Whether the last record said that the log goes on in another file.
  private(set) var goesOn = false

  @inline(__always)
  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ place: TraceRecord.Place
  ) {
    if ending != nil { tellEnding() }
    gaps.note(place)
    indexed.visitElement(moment, at: time, place)
  }

  mutating func visit(_ record: TraceRecord, at place: TraceRecord.Place) {
    guard !record.isUnfinished else { return }
    tellEnding()
    gaps.note(place)
    switch record.body {
    case .end(let records, let lost):
      ending = Ending(
        time: record.time, place: place, records: records, lost: lost, continues: false)
    case .continued(let records, let lost):
      ending = Ending(
        time: record.time, place: place, records: records, lost: lost, continues: true)
    default:
      indexed.visit(record, at: place)
    }
  }

  /// Takes a record that stands before others that were read already.
  mutating func visitLate(_ record: TraceRecord, at place: TraceRecord.Place) {
    indexed.visit(record, at: place)
  }

  mutating func skipLate(_ kind: Damage.Kind, line: Int) {
    indexed.skip(kind, line: line)
  }

  /// Says that nothing is left that stands before the last line.
  @inline(never)
  mutating func tellEnding() {
    guard let ending else { return }
    self.ending = nil
    goesOn = ending.continues
    indexed.visit(ending.record, at: ending.place)
  }

  mutating func append(_ next: consuming FollowedAccumulator, lines: Int) {
    if next.gaps.end > 0 {
      tellEnding()
      goesOn = next.goesOn
    }
    gaps.append(next.gaps, lines: lines)
    indexed.append(next.indexed, lines: lines)
    ending = next.ending ?? ending
    if next.ending != nil { ending?.place.move(byLines: lines) }
  }

  mutating func finish() {
    indexed.finish()
  }

  /// What comes next stands in another file.
  mutating func begin(file: Int) {
    gaps.begin(file: file)
    goesOn = false
  }

  /// The same after lines were read late.
  mutating func settle() {
    indexed.settle()
  }

  /// Lines behind a place are fewer than they were thought to be.
  mutating func moveLines(of file: Int, behind offset: Int, by lines: Int) {
    for index in gaps.gaps.indices.reversed()
    where gaps.gaps[index].file == file && gaps.gaps[index].range.lowerBound >= offset {
      gaps.gaps[index].line += lines
    }
    gaps.moveLines(of: file, behind: offset, by: lines)
    indexed.moveLines(of: file, behind: offset, by: lines)
  }
}
