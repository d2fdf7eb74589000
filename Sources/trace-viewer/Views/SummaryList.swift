import TerminalUI
import TraceAnalysis
import TraceFormat

/// The statistics of the lanes.
struct SummaryList {
  private let viewer: Viewer
  private let height: Int

  init(_ viewer: Viewer, _ layout: ViewLayout) {
    self.viewer = viewer
    height = layout.pane.count - 1
  }

  private typealias Column = ListColumn<LaneSummary>

  private var columns: [Column] {
    let page = viewer.page
    func count(_ value: Int) -> String { value == 0 ? page.glyphs.none : CountText.number(value) }
    func time(_ value: Nanoseconds?) -> String {
      value.map { page.duration($0) } ?? page.glyphs.none
    }
    // These values are counted in buckets that are up to 1 % wide.
    func about(_ value: Nanoseconds?) -> String {
      value.map { "~" + page.duration($0) } ?? page.glyphs.none
    }
    return [
      Column(title: "STARTED", width: 9, worth: 8) { count($0.started) },
      Column(title: "ACTIVE", width: 8, worth: 9) { count($0[.active]) },
      Column(title: "FAILED", width: 8, worth: 7) { count($0[.failed]) },
      Column(title: "ELEMENTS", width: 12, worth: 6) { count($0.elements) },
      Column(title: "LIFE p50", width: 10, worth: 4) { time($0.lives?.median) },
      Column(title: "p95", width: 10, worth: 3) { time($0.lives?.high) },
      Column(title: "GAP p50", width: 10, worth: 5) { about($0.gaps?.median) },
      Column(title: "p95", width: 10, worth: 2) { about($0.gaps?.high) },
    ]
  }

  var lines: [Line] {
    guard let statistics = viewer.statistics else { return [Line("counting", .dim)] }
    let fitting = Column.fitting(columns, into: viewer.columns, beside: 16)
    let name = max(8, viewer.columns - fitting.reduce(0) { $0 + $1.width })
    let list = viewer.lists.summary
    let shown = statistics.indices.dropFirst(list.first).prefix(max(0, height))
    return [row("LANE", name, fitting.map { ($0.width, $0.title) }, .dim)]
      + shown.map { number in
        let lane = statistics[number]
        let isSelected = number == list.row && viewer.focus == .pane
        return row(
          viewer.page.safe(lane.lane), name, fitting.map { ($0.width, $0.value(lane)) },
          isSelected ? .reversed : .plain)
      }
  }

  private func row(_ name: String, _ width: Int, _ values: [(Int, String)], _ style: Style) -> Line
  {
    var line = Line(DisplayWidth.pad(viewer.page.cutMiddle(name, to: width - 1), to: width), style)
    for (width, value) in values {
      line.append(DisplayWidth.padLeft(viewer.page.cut(value, to: width - 1), to: width), style)
    }
    return line
  }
}
