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
  }

  package struct Row: Sendable {
    package let bars: [Bar]
    /// The number of elements in each column.
    package internal(set) var elements: [Int]
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
  private let end: Nanoseconds
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
    scale = TimeScale(start: excerpt.start, duration: excerpt.duration, columns: columns)
    end = excerpt.end
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
    let packing = RowPacking(members.map { span(of: $0, log) }, limit: rows)
    let rows = packing.rows.map { spans in
      Row(
        bars: spans.map { span in
          let lifecycle = log.lifecycles[span.index]
          return Bar(
            index: span.index, columns: span.columns, state: lifecycle.state,
            isSuspect: suspects.contains(span.index), isCutLeft: lifecycle.start < scale.start,
            isCutRight: lifecycle.end.map { $0 > end } ?? false)
        }, elements: [])
    }
    return Lane(
      name: node.lane, depth: node.depth, subscriptions: members.count, rows: rows,
      folded: folded(packing.folded.map(\.index), log))
  }

  private func span(of index: Int, _ log: LogAnalysis) -> RowPacking.Span {
    let lifecycle = log.lifecycles[index]
    let first = scale.column(of: lifecycle.start)
    let last = scale.column(of: log.lastMoment(of: lifecycle))
    let rank =
      switch lifecycle.state {
      case .active where lifecycle.isUnexpectedlyActive: 0
      case .failed: 1
      case .released: 2
      default: 3
      }
    return RowPacking.Span(index: index, columns: first...max(first, last), rank: rank)
  }

  /// Returns the number of subscriptions, and how many of them are alive at once in each column, at
  /// most; nil if there are none.
  private func folded(_ members: [Int], _ log: LogAnalysis) -> (count: Int, alive: [Int])? {
    guard !members.isEmpty else { return nil }
    var changes: [(time: Nanoseconds, order: Int)] = []
    for index in members {
      let (start, end) = (log.lifecycles[index].start, log.lastMoment(of: log.lifecycles[index]))
      changes.append((start, 1))
      // A subscription that ends makes room for one that begins at the same time, but not for
      // itself.
      changes.append((end, end > start ? 0 : 2))
    }
    changes.sort { ($0.time, $0.order) < ($1.time, $1.order) }
    var cells = [Int](repeating: 0, count: scale.columns)
    var alive = 0
    var column = 0
    for change in changes {
      let next = scale.column(of: change.time)
      while column < next {
        column += 1
        cells[column] = alive
      }
      alive += change.order == 1 ? 1 : -1
      cells[column] = max(cells[column], alive)
    }
    while column < cells.count - 1 {
      column += 1
      cells[column] = alive
    }
    return (members.count, cells)
  }
}
