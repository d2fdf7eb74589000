/// The lanes of a log laid out over columns: what a view of it shows, without how.
package struct Timeline: Sendable {
  package struct Bar: Sendable {
    /// The place in `LogAnalysis.lifecycles`.
    package let index: Int
    package let columns: ClosedRange<Int>
    package let state: Lifecycle.State
    package let isSuspect: Bool
  }

  package struct Row: Sendable {
    package let bars: [Bar]
    /// How many elements fall into each column.
    package internal(set) var elements: [Int]
  }

  package struct Lane: Sendable {
    package let name: String
    package let depth: Int
    package let subscriptions: Int
    package internal(set) var rows: [Row]
    /// How many subscriptions without a row are alive in each column; `nil` where all have one.
    package let folded: (count: Int, alive: [Int])?
  }

  package struct Limits: Sendable {
    package var lanes: Int
    /// Rows of bars a lane.
    package var rows: Int

    package init(lanes: Int = 40, rows: Int = 4) {
      self.lanes = lanes
      self.rows = rows
    }
  }

  package let scale: TimeScale
  package private(set) var lanes: [Lane] = []
  package private(set) var hiddenLanes = 0
  package private(set) var hiddenSubscriptions = 0

  /// Reads the file a second time, to count the elements that fall into each cell.
  package init(
    _ log: LogAnalysis, suspects: Set<SubscriptionID>, columns: Int, limits: Limits = Limits(),
    file: borrowing LogFile
  ) throws(LogError) {
    scale = TimeScale(duration: log.duration, columns: columns)
    layOut(log, suspects, limits)
    var counter = ElementCounter(self, log)
    var reader = LogFileReader()
    _ = try reader.read(file, upTo: log.bytes, visitor: &counter)
    for lane in lanes.indices {
      for row in lanes[lane].rows.indices {
        lanes[lane].rows[row].elements = counter.cells(lane: lane, row: row)
      }
    }
  }

  private mutating func layOut(
    _ log: LogAnalysis, _ suspects: Set<SubscriptionID>, _ limits: Limits
  ) {
    let tree = LaneTree(log)
    let order = tree.inOrder
    let shown = Timeline.choose(order, tree, log, suspects, limit: limits.lanes)
    for node in order {
      let members = tree.nodes[node].members
      guard shown.contains(node) else {
        hiddenLanes += 1
        hiddenSubscriptions += members.count
        continue
      }
      lanes.append(lane(tree.nodes[node], log, suspects, limits))
    }
  }

  /// Lanes with something to look at first, the others in their order, and no lane without the lanes above it.
  private static func choose(
    _ order: [Int], _ tree: LaneTree, _ log: LogAnalysis, _ suspects: Set<SubscriptionID>,
    limit: Int
  ) -> Set<Int> {
    guard order.count > limit else { return Set(order) }
    let (loud, quiet) = order.reduce(into: ([Int](), [Int]())) { parts, node in
      let isLoud = tree.nodes[node].members.contains {
        log.lifecycles[$0].state == .failed || suspects.contains(log.lifecycles[$0].id)
      }
      if isLoud { parts.0.append(node) } else { parts.1.append(node) }
    }
    var chosen: Set<Int> = []
    for first in loud + quiet where chosen.count < limit {
      var node: Int? = first
      while let current = node, chosen.insert(current).inserted {
        node = tree.nodes[current].parent
      }
    }
    return chosen
  }

  private func lane(
    _ node: LaneTree.Node, _ log: LogAnalysis, _ suspects: Set<SubscriptionID>, _ limits: Limits
  ) -> Lane {
    let members = node.members.sorted {
      (log.lifecycles[$0].start, $0) < (log.lifecycles[$1].start, $1)
    }
    let packing = RowPacking(
      members.map { span(of: log.lifecycles[$0], at: $0, suspects) }, limit: limits.rows)
    let rows = packing.rows.map { spans in
      Row(
        bars: spans.map { span in
          let lifecycle = log.lifecycles[span.index]
          return Bar(
            index: span.index, columns: span.columns, state: lifecycle.state,
            isSuspect: suspects.contains(lifecycle.id))
        }, elements: [])
    }
    return Lane(
      name: node.lane, depth: node.depth, subscriptions: members.count, rows: rows,
      folded: folded(packing.folded))
  }

  private func span(
    of lifecycle: Lifecycle, at index: Int, _ suspects: Set<SubscriptionID>
  ) -> RowPacking.Span {
    let first = scale.column(of: lifecycle.start)
    let last = lifecycle.end.map { scale.column(of: $0) } ?? scale.columns - 1
    let rank =
      switch lifecycle.state {
      case .active where suspects.contains(lifecycle.id): 0
      case .failed: 1
      case .released: 2
      default: 3
      }
    return RowPacking.Span(index: index, columns: first...max(first, last), rank: rank)
  }

  private func folded(_ spans: [RowPacking.Span]) -> (count: Int, alive: [Int])? {
    guard !spans.isEmpty else { return nil }
    var changes = [Int](repeating: 0, count: scale.columns + 1)
    for span in spans {
      changes[span.columns.lowerBound] += 1
      changes[span.columns.upperBound + 1] -= 1
    }
    var alive = 0
    let cells = changes.dropLast().map { change in
      alive += change
      return alive
    }
    return (spans.count, cells)
  }
}
