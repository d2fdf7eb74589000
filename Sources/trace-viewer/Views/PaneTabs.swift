import TerminalUI
import TraceAnalysis
import TraceFormat

/// The line with the names of the panes, one of which is shown.
struct PaneTabs {
  private let viewer: Viewer

  init(_ viewer: Viewer) {
    self.viewer = viewer
  }

  private var labels: [(kind: PaneKind, text: String)] {
    PaneKind.allCases.map { kind in
      // If there is not enough room for all names, only the shown pane has its name.
      let hasName = viewer.columns >= 64 || kind == viewer.pane
      return (kind, hasName ? " \(kind.rawValue + 1) \(kind.title) " : "\(kind.rawValue + 1)")
    }
  }

  var line: Line {
    let glyphs = viewer.page.glyphs
    var line = Line(glyphs.axis, .dim)
    for (kind, text) in labels {
      let isShown = kind == viewer.pane
      var style = isShown ? Style.bold : .dim
      if isShown, viewer.focus == .pane { style = .reversed }
      line.append(text, style)
      line.append(glyphs.axis, .dim)
    }
    if let subject { line.append(" \(subject) ", .bold) }
    let room = viewer.columns - line.columns
    if room > 0 { line.append(String(repeating: glyphs.axis, count: room), .dim) }
    return line.cut(to: viewer.columns, ellipsis: glyphs.ellipsis)
  }

  /// The subject of the pane.
  private var subject: String? {
    let page = viewer.page
    switch viewer.pane {
    case .subscriptions, .events:
      guard let lane = viewer.selectedLane else { return nil }
      let count =
        viewer.pane == .subscriptions
        ? " \(page.glyphs.times)\(CountText.number(lane.listed.count))" : ""
      return page.safe(lane.name) + count
    case .detail:
      guard let chosen = viewer.chosen, viewer.log.lifecycles.indices.contains(chosen) else {
        return nil
      }
      let lifecycle = viewer.log.lifecycles[chosen]
      return page.safe("\(viewer.log.name(of: lifecycle)) \(lifecycle.site.lane)")
    case .findings, .summary: return nil
    }
  }

  /// Returns the pane whose name is at a column.
  func kind(at column: Int) -> PaneKind? {
    var start = 1
    for (kind, text) in labels {
      let end = start + DisplayWidth.columns(of: text)
      if (start..<end).contains(column) { return kind }
      start = end + 1
    }
    return nil
  }
}
