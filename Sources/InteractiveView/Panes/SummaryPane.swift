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

  private(set) var list = ListPosition()

  var needsStatistics: Bool { true }

  private func selected(_ viewer: Viewer) -> LaneSummary? {
    guard let lanes = viewer.panes.statistics.lanes, lanes.indices.contains(list.row) else {
      return nil
    }
    return lanes[list.row]
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
    list.go(
      to: row, count: viewer.panes.statistics.lanes?.count ?? 0,
      height: max(1, viewer.layout.pane.count - 1))
  }

  /// Goes to the lane in the timeline.
  mutating func open(in viewer: inout Viewer) {
    guard let name = selected(viewer)?.lane,
      let lane = viewer.outline.lanes.first(where: { $0.name == name && !$0.members.isEmpty }),
      let first = lane.members.first
    else { return }
    viewer.go(to: first)
    viewer.panes.show(.subscriptions)
    viewer.focus = .timeline
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
      Column(title: "STARTED", width: 9, worth: 8) { count($0.started) },
      Column(title: "ACTIVE", width: 8, worth: 9) { count($0[.active]) },
      Column(title: "FAILED", width: 8, worth: 7) { count($0[.failed]) },
      Column(title: "ELEMENTS", width: 12, worth: 6) { count($0.elements) },
      Column(title: "MED LIFE", width: 10, worth: 4) { time($0.lives?.median) },
      Column(title: "95 %", width: 10, worth: 3) { time($0.lives?.high) },
      Column(title: "MED GAP", width: 10, worth: 5) { about($0.gaps?.median) },
      Column(title: "95 %", width: 10, worth: 2) { about($0.gaps?.high) },
    ]
  }

  func lines(_ viewer: Viewer) -> [Line] {
    guard let lanes = viewer.panes.statistics.lanes else { return [Line("counting", .dim)] }
    guard !lanes.isEmpty else { return [Line("no subscriptions", .dim)] }
    let page = viewer.page
    let fitting = Column.fitting(columns(page), into: page.width, nextTo: 16)
    let width = max(8, page.width - fitting.reduce(0) { $0 + $1.width })
    let shown = lanes.indices.dropFirst(list.first).prefix(max(0, viewer.layout.pane.count - 1))
    return [row("LANE", width, fitting.map { ($0.width, $0.title) }, .dim, page)]
      + shown.map { index in
        let lane = lanes[index]
        let isSelected = index == list.row && viewer.focus == .pane
        return row(
          page.safe(lane.lane), width, fitting.map { ($0.width, $0.value(lane)) },
          isSelected ? .reversed : .plain, page)
      }
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
