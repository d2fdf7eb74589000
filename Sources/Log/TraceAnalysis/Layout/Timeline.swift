import TraceFormat

/// The lanes of a log laid out over columns: the content of a view without its appearance.
package struct Timeline: Sendable {
  package struct Bar: Sendable {
    /// The index in `LogAnalysis.lifecycles`.
    package let index: Int
    package let columns: ClosedRange<Int>
    package let state: Lifecycle.State
    package let isSuspect: Bool
    /// A Boolean value that indicates whether the bar begins outside the time range; `isCutRight`
    /// indicates whether it ends outside.
    package let isCutLeft: Bool
    package let isCutRight: Bool
    /// What a task does in each column; empty if the log doesn't show that.
    package let task: [TaskCell]

    package init(
      index: Int, columns: ClosedRange<Int>, state: Lifecycle.State, isSuspect: Bool,
      isCutLeft: Bool, isCutRight: Bool, task: [TaskCell] = []
    ) {
      self.index = index
      self.columns = columns
      self.state = state
      self.isSuspect = isSuspect
      self.isCutLeft = isCutLeft
      self.isCutRight = isCutRight
      self.task = task
    }
  }

  package struct Row: Sendable {
    package let bars: [Bar]
    /// The number of elements in each column.
    package internal(set) var elements: [Int]

    /// The row drawn into cells.
    package var cells: [BarCells.Cell] {
      var cells = BarCells(columns: elements.count)
      for bar in bars { cells.add(bar) }
      return cells.cells(elements: elements)
    }
  }

  package struct Lane: Sendable {
    package let name: String
    package let depth: Int
    package let subscriptions: Int
    package internal(set) var rows: [Row]
    /// The number of subscriptions without a row, and how many of them are alive in each column;
    /// `nil` if all have a row.
    package let folded: (count: Int, alive: [Int])?
  }

  package let scale: TimeScale
  package private(set) var lanes: [Lane] = []
  package let selection: LaneSelection

  /// Lays out lanes. It reads the files a second time, to count the elements in each cell.
  ///
  /// - Parameter rows: The maximum number of rows of bars in a lane.
  package init(
    _ excerpt: LogExcerpt, _ selection: LaneSelection, suspects: Set<Int>, columns: Int,
    rows: Int = 4
  ) throws(LogError) {
    let log = excerpt.log
    scale = TimeScale(excerpt.times, columns: columns)
    self.selection = selection
    lanes = selection.nodes.map { lane($0, log, suspects, rows) }
    let counter = try log.scan(ElementCounter(self, log))
    for lane in lanes.indices {
      for row in lanes[lane].rows.indices {
        lanes[lane].rows[row].elements = counter.cells(lane: lane, row: row)
      }
    }
  }

  private func lane(
    _ node: LaneTree.Node, _ log: LogAnalysis, _ suspects: Set<Int>, _ rows: Int
  ) -> Lane {
    let members = node.members.sorted {
      (log.lifecycles[$0].start, $0) < (log.lifecycles[$1].start, $1)
    }
    let packing = packing(of: members, log, rows)
    let rows = packing.rows.map { members in
      Row(bars: members.map { bar(of: $0, log, suspects) }, elements: [])
    }
    return Lane(
      name: node.lane, depth: node.depth, subscriptions: members.count, rows: rows,
      folded: folded(packing.overflow, log))
  }

  private func bar(of index: Int, _ log: LogAnalysis, _ suspects: Set<Int>) -> Bar {
    let lifecycle = log.lifecycles[index]
    let columns = columns(of: lifecycle, log)
    return Bar(
      index: index, columns: columns, state: lifecycle.state,
      isSuspect: suspects.contains(index), isCutLeft: lifecycle.start < scale.start,
      isCutRight: lifecycle.end.map(scale.times.endsBefore) ?? false,
      task: log.taskCells(of: index, columns, scale))
  }

  private func columns(of lifecycle: Lifecycle, _ log: LogAnalysis) -> ClosedRange<Int> {
    let first = scale.column(of: lifecycle.start)
    return first...max(first, scale.column(of: log.lastMoment(of: lifecycle)))
  }

  /// Packs subscriptions into rows by columns. If there is not room for all, the most important
  /// ones get rows first, and of those the longest.
  private func packing(of members: [Int], _ log: LogAnalysis, _ rows: Int) -> RowPacking {
    RowPacking(
      members, rows: rows,
      bounds: { index in
        let columns = columns(of: log.lifecycles[index], log)
        return UInt64(columns.lowerBound)..<UInt64(columns.upperBound + 1)
      },
      precedence: { members in
        let ranked = members.enumerated().map { offset, index in
          let lifecycle = log.lifecycles[index]
          return (
            index: index, rank: min(lifecycle.urgency, Lifecycle.harmlessUrgency), offset: offset,
            length: columns(of: lifecycle, log).count
          )
        }
        return ranked.sorted {
          ($0.rank, -$0.length, $0.offset) < ($1.rank, -$1.length, $1.offset)
        }.map(\.index)
      })
  }

  /// Returns the number of subscriptions, and the maximum number that are alive in each column; nil
  /// for an empty array.
  private func folded(_ members: [Int], _ log: LogAnalysis) -> (count: Int, alive: [Int])? {
    guard !members.isEmpty else { return nil }
    let spans = members.map { LifeSpan($0, in: log) }
    return (members.count, Population.peaks(of: spans, over: scale))
  }
}

/// A visitor that counts the elements in each cell, for the subscriptions that have a bar.
private struct ElementCounter: ElementVisitor {
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

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    guard let (number, index) = section.subscription(moment.id, at: location, in: log),
      rowOf[index] >= 0
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
