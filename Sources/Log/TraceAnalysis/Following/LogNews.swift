import TraceFormat

/// Where the records are that a snapshot of a followed log has in addition to the previous one.
///
/// It has places and not the records themselves, so it is small however much was read.
struct LogNews: Sendable {
  /// The parts of files that were read. A record in one of `gaps` was not there yet.
  private(set) var ranges: [ParallelReading.FileRange] = []
  /// The records that threads wrote into the gaps of earlier ranges.
  private(set) var late: [TraceRecord.Location] = []
  /// The gaps in the ranges.
  private(set) var gaps: [LogGap] = []

  mutating func read(_ range: Range<Int>, file: Int) {
    guard !range.isEmpty else { return }
    ranges.append(.init(file: file, range: range))
  }

  /// Adds records that precede records that were already read, and the gaps that remain.
  mutating func found(_ late: [TraceRecord.Location], remaining gaps: [LogGap]) {
    self.late += late.filter { !isRead(file: $0.file, $0.offset) }
    self.gaps = gaps.filter { gap in
      ranges.contains { $0.file == gap.file && $0.range.overlaps(gap.range) }
    }
  }

  private func isRead(file: Int, _ offset: Int) -> Bool {
    ranges.contains { $0.file == file && $0.range.contains(offset) }
  }

  /// Reports whether a record in one of the ranges was written after the snapshot.
  func isInGap(_ location: TraceRecord.Location) -> Bool {
    gaps.contains { $0.file == location.file && $0.range.contains(location.offset) }
  }
}
