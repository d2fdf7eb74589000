import TraceFormat

/// A visitor that counts the elements in each cell, for the subscriptions that have a bar.
struct ElementCounter: MergingVisitor {
  private let scale: TimeScale
  private let times: TimeRange
  private let log: LogAnalysis
  private let firstRows: [Int]
  /// The row of each subscription; -1 for subscriptions without one.
  private var rowOf: [Int32]
  private var counts: [Int]
  private var section = SectionCursor()

  init(_ timeline: Timeline, _ log: LogAnalysis) {
    scale = timeline.scale
    times = scale.times
    self.log = log
    rowOf = Array(repeating: -1, count: log.lifecycles.count)
    var firstRows: [Int] = []
    var rows = 0
    for lane in timeline.lanes {
      firstRows.append(rows)
      for row in lane.rows {
        for bar in row.bars { rowOf[bar.index] = Int32(rows) }
        rows += 1
      }
    }
    self.firstRows = firstRows
    counts = Array(repeating: 0, count: rows * timeline.scale.columns)
  }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    if case .next(let moment) = record.body { visitElement(moment, at: record.time, location) }
  }

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    guard let number = section.log(of: location, in: log),
      let index = log.index(of: moment.id, log: number), rowOf[index] >= 0
    else { return }
    let time = time.after(log.logs[number].offset)
    guard times.contains(time) else { return }
    let column = scale.column(of: time)
    counts[Int(rowOf[index]) * scale.columns + column] += 1
  }

  mutating func append(_ next: consuming ElementCounter, lines: Int) {
    for cell in counts.indices { counts[cell] += next.counts[cell] }
  }

  func cells(lane: Int, row: Int) -> [Int] {
    let first = (firstRows[lane] + row) * scale.columns
    return Array(counts[first..<first + scale.columns])
  }
}
