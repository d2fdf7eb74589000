import TerminalUI
import TraceAnalysis
import TraceFormat
import ViewerConsole

extension PaneID {
  static let summary = PaneID(title: "Summary")
}

/// The pane with the statistics of the lanes.
struct SummaryPane: Pane {
  static let id = PaneID.summary
  static let help = "show lanes in numbers"
  var showsChoice: Bool { false }

  private(set) var list = ListPosition()
  /// The index of the column by which the lanes are sorted, or `nil` for the order of the timeline.
  private var sortedColumn: Int?
  /// The indices of the lanes in the order of the rows, and the statistics and the column that the
  /// order is for.
  private var order: [Int] = []
  private var orderKey: OrderKey?

  private struct OrderKey: Equatable {
    let statistics: Int
    let column: Int?
  }

  var needsStatistics: Bool { true }

  func subject(in viewer: Viewer) -> String? {
    viewer.panes.statistics.range.map { "A to B, \(viewer.page.duration($0.duration))" }
  }

  mutating func adapt(to viewer: Viewer) {
    let key = OrderKey(statistics: viewer.panes.statistics.revision, column: sortedColumn)
    guard key != orderKey else { return }
    orderKey = key
    let lanes = viewer.panes.statistics.lanes ?? []
    order = Array(lanes.indices)
    if let rank = sortedColumn.flatMap({ columns(viewer.page)[$0].rank }) {
      let ranks = lanes.map(rank)
      order.sort { (ranks[$1], $0) < (ranks[$0], $1) }
    }
    list.scroll(count: order.count, height: Self.height(viewer))
  }

  mutating func forgetLog() { orderKey = nil }

  /// Sorts by the next column, with the highest values first, or after the last column as in the
  /// timeline.
  mutating func sort(in viewer: Viewer) -> PaneSorting {
    let all = columns(viewer.page)
    let rest = all.indices.dropFirst(sortedColumn.map { $0 + 1 } ?? 0)
    return sort(byColumn: rest.first { all[$0].rank != nil }, in: viewer)
  }

  /// Sorts by the column with a letter, or if that is done, as in the timeline.
  mutating func sort(by letter: Character, in viewer: Viewer) -> PaneSorting {
    guard let column = columns(viewer.page).firstIndex(where: { $0.letter == letter }) else {
      return .ofTimeline
    }
    return sort(byColumn: column == sortedColumn ? nil : column, in: viewer)
  }

  private mutating func sort(byColumn column: Int?, in viewer: Viewer) -> PaneSorting {
    let all = columns(viewer.page)
    sortedColumn = column
    list.select(0, count: order.count)
    adapt(to: viewer)
    return .by(column.map { all[$0].name ?? all[$0].title } ?? "the order of the timeline")
  }

  private static func height(_ viewer: Viewer) -> Int { max(1, viewer.layout.pane.count - 1) }

  private func selected(_ viewer: Viewer) -> LaneSummary? {
    guard let lanes = viewer.panes.statistics.lanes, order.indices.contains(list.row),
      lanes.indices.contains(order[list.row])
    else { return nil }
    return lanes[order[list.row]]
  }

  mutating func move(_ movement: PaneMovement, in viewer: inout Viewer) {
    let count = viewer.panes.statistics.lanes?.count ?? 0
    select(movement.target(from: list.row, count: count), viewer)
  }

  mutating func click(_ position: PanePosition, in viewer: inout Viewer) {
    // The first row has the titles.
    if position.row > 0 { select(list.first + position.row - 1, viewer) }
  }

  private mutating func select(_ row: Int, _ viewer: Viewer) {
    list.go(to: row, count: viewer.panes.statistics.lanes?.count ?? 0, height: Self.height(viewer))
  }

  /// Goes to the lane in the timeline: to its longest gap, if it has one.
  mutating func open(in viewer: inout Viewer) {
    guard let summary = selected(viewer),
      let lane = viewer.outline.lanes.first(where: {
        $0.name == summary.lane && !$0.members.isEmpty
      }),
      let first = lane.members.first
    else { return }
    if let gaps = summary.gaps, let index = Self.index(ofLongest: gaps, in: viewer) {
      viewer.go(to: index, at: gaps.longestStart)
      let name = viewer.page.safe(viewer.log.name(of: viewer.log.lifecycles[index]))
      let length = viewer.page.duration(gaps.longest)
      viewer.notice = Notice(
        text: "the longest gap: \(name) has no element for \(length) from here")
    } else {
      viewer.go(to: first)
    }
    viewer.panes.show(.subscriptions)
    viewer.focus = .timeline
  }

  /// Returns the index in the lifecycles of the subscription with the longest gap, or `nil` if a
  /// filter hides it.
  private static func index(ofLongest gaps: LaneSummary.Gaps, in viewer: Viewer) -> Int? {
    guard let id = SubscriptionID(gaps.longestOf.number),
      let index = viewer.log.index(of: id, log: gaps.longestOf.log),
      viewer.outline.item(of: index) != nil
    else { return nil }
    return index
  }

  func copiedText(in viewer: Viewer) -> String? {
    selected(viewer).map { viewer.page.safe($0.lane) }
  }

  // MARK: Lines

  private typealias Column = ListColumn<LaneSummary>

  private func columns(_ page: Page) -> [Column] {
    func count(_ value: Int) -> String { value == 0 ? page.glyphs.none : CountText.number(value) }
    func time(_ value: Nanoseconds?) -> String {
      value.map { page.duration($0) } ?? page.glyphs.none
    }
    // These values are counted in buckets that are up to 1% wide.
    func about(_ value: Nanoseconds?) -> String {
      value.map { "~" + page.duration($0) } ?? page.glyphs.none
    }
    return [
      Column(title: "STARTED", letter: "T", width: 9, worth: 9, rank: { UInt64($0.started) }) {
        count($0.started)
      },
      Column(title: "ACTIVE", letter: "A", width: 8, worth: 10, rank: { UInt64($0[.active]) }) {
        count($0[.active])
      },
      Column(title: "FAILED", letter: "F", width: 8, worth: 8, rank: { UInt64($0[.failed]) }) {
        count($0[.failed])
      },
      Column(title: "ELEMENTS", letter: "E", width: 12, worth: 7, rank: { UInt64($0.elements) }) {
        count($0.elements)
      },
      Column(
        title: "MED LIFE", letter: "L", width: 10, worth: 6, rank: { $0.lives?.median.count ?? 0 }
      ) {
        time($0.lives?.median)
      },
      Column(
        title: "95% LIFE", letter: "I", name: "95% of the lives", width: 10, worth: 1,
        rank: { $0.lives?.high.count ?? 0 }
      ) { time($0.lives?.high) },
      Column(
        title: "MAX LIFE", letter: "X", width: 10, worth: 5, rank: { $0.lives?.longest.count ?? 0 }
      ) {
        time($0.lives?.longest)
      },
      Column(
        title: "MED GAP", letter: "D", width: 10, worth: 4, rank: { $0.gaps?.median.count ?? 0 }
      ) {
        about($0.gaps?.median)
      },
      Column(
        title: "95% GAP", letter: "P", name: "95% of the gaps", width: 10, worth: 0,
        rank: { $0.gaps?.high.count ?? 0 }
      ) { about($0.gaps?.high) },
      Column(
        title: "MAX GAP", letter: "M", width: 10, worth: 3, rank: { $0.gaps?.longest.count ?? 0 }
      ) {
        time($0.gaps?.longest)
      },
      Column(title: "GAP AT", width: 10, worth: 2) { time($0.gaps?.longestStart) },
    ]
  }

  func lines(_ viewer: Viewer) -> [Line] {
    guard let lanes = viewer.panes.statistics.lanes else {
      let isUnreadable = viewer.panes.statistics.isUnreadable
      return [Line(isUnreadable ? "the file has changed" : "counting", .dim)]
    }
    guard !lanes.isEmpty else { return [Line("no subscriptions", .dim)] }
    let page = viewer.page
    var all = columns(page)
    if let sortedColumn { all[sortedColumn].title += page.glyphs.unfolded }
    let fitting = Column.fitting(all, into: page.width, nextTo: 16)
    let width = max(8, page.width - fitting.reduce(0) { $0 + $1.width })
    let shown = order.indices.dropFirst(list.first).prefix(max(0, viewer.layout.pane.count - 1))
    return [header(width, fitting, page)]
      + shown.filter { lanes.indices.contains(order[$0]) }.map { index in
        let lane = lanes[order[index]]
        let isSelected = index == list.row && viewer.focus == .pane
        return row(
          page.safe(lane.lane), width, fitting.map { ($0.width, $0.value(lane)) },
          isSelected ? .reversed : .plain, page)
      }
  }

  /// Returns the titles, in which the letters of the keys that sort are bold.
  private func header(_ width: Int, _ columns: [Column], _ page: Page) -> Line {
    var line = Line(DisplayWidth.pad("LANE", to: width), .dim)
    for column in columns {
      let text = DisplayWidth.padLeft(column.title, to: column.width)
      guard let letter = column.letter.flatMap({ text.firstIndex(of: $0) }) else {
        line.append(text, .dim)
        continue
      }
      line.append(String(text[..<letter]), .dim)
      line.append(String(text[letter]), .bold)
      line.append(String(text[text.index(after: letter)...]), .dim)
    }
    return line
  }

  private func row(
    _ name: String, _ width: Int, _ values: [(Int, String)], _ style: Style, _ page: Page
  ) -> Line {
    var line = Line(DisplayWidth.pad(page.cutMiddle(name, to: width - 1), to: width), style)
    for (width, value) in values {
      line.append(DisplayWidth.padLeft(page.cut(value, to: width - 1), to: width), style)
    }
    return line
  }
}
