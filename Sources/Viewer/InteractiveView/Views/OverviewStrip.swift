import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The strip above the axis: the events and the live subscriptions of the whole log, with the
/// visible part as a window.
///
///     3,935 events     ▁ ▂[▁▇▁ ▁]▁
///     12 active     ▁▁▂▃▄▅[▅▆▆▇]▇▇▇▇
struct OverviewStrip {
  private let viewer: Viewer
  private let layout: ViewLayout
  let scale: TimeScale

  init(_ viewer: Viewer, _ layout: ViewLayout) {
    self.viewer = viewer
    self.layout = layout
    scale = VisibleRange.all(of: viewer.log).scale(columns: layout.cells)
  }

  var lines: [Line] {
    guard !layout.overview.isEmpty else { return [] }
    let overview = viewer.viewed.overview
    let parts = overview.parts(over: scale)
    let events = curve(parts.map(\.events), color: nil)
    var active = curve(parts.map(\.alive), color: Glyphs.style(.active).color)
    for (column, part) in parts.enumerated() where part.hasFailure {
      active[column] = .init(text: viewer.page.glyphs.failed, style: Glyphs.style(.failed))
    }
    let count = CountText.make(overview.events, "event")
    return [line(count, .dim, events), line(Self.active(viewer), .bold, active)]
      .suffix(layout.overview.count)
  }

  /// The number of shown subscriptions that are alive at the cursor.
  static func active(_ viewer: Viewer) -> String {
    "\(CountText.number(viewer.outline.alive(at: viewer.timeline.cursor))) active"
  }

  private func curve(_ counts: [Int], color: Style.Color?) -> [BarPainter.Cell] {
    let glyphs = viewer.page.glyphs
    let most = counts.max() ?? 0
    return counts.map { count in
      guard count > 0 else { return .init() }
      let index = glyphs.densityIndex(count, of: most)
      let shade = UInt8(1 + index * 3 / max(1, glyphs.density.count - 1))
      return .init(text: glyphs.density[index], style: Style(color: color, shade: shade))
    }
  }

  private func line(_ title: String, _ style: Style, _ curve: [BarPainter.Cell]) -> Line {
    var cells = curve
    let timeline = viewer.timeline
    let cursor = scale.column(of: timeline.cursor)
    if cells[cursor].text == " " {
      cells[cursor] = .init(
        text: viewer.page.glyphs.cursorLine, style: Style(color: .cyan, isDim: true))
    } else {
      cells[cursor].style.isReversed = true
    }
    if !timeline.fitsAll {
      let first = scale.column(of: timeline.window.start)
      let end = timeline.window.end.since(Nanoseconds(1))
      let last = max(first, scale.column(of: end))
      for column in cells.indices where !(first...last).contains(column) {
        cells[column].style = .dim
      }
      let edge = Style(color: .cyan, isBold: true)
      if first > 0 { cells[first - 1] = .init(text: "[", style: edge) }
      if last < cells.count - 1 { cells[last + 1] = .init(text: "]", style: edge) }
    }
    var line = Line(viewer.page.cut(title, to: layout.labelWidth), style)
    line.pad(to: layout.labelWidth + ViewLayout.gap)
    for cell in cells { line.append(cell.text, cell.style) }
    return line
  }
}
