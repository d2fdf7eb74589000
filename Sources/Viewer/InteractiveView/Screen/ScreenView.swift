import TerminalUI
import TraceAnalysis
import ViewerConsole

/// The whole screen: the state of a viewer as lines.
struct ScreenView {
  let viewer: Viewer

  var frame: Frame {
    let layout = viewer.layout
    guard !layout.isTooSmall else { return tooSmall }
    if viewer.help.isShown {
      let (columns, rows) = (viewer.terminal.columns, viewer.terminal.rows)
      return HelpView.frame(
        HelpView.lines(viewer.help, columns: columns, viewer.page), first: viewer.help.row,
        columns: columns, rows: rows, title: viewer.help.isAboutQueries ? "QUERIES" : "KEYS",
        viewer.page)
    }
    var lines = [HeaderBar(viewer: viewer).line]
    lines += OverviewStrip(viewer, layout).lines
    if !layout.axis.isEmpty { lines += AxisView(viewer, layout).lines }
    lines += TimelinePainter(viewer, layout).lines
    if layout.tabs != nil {
      lines.append(PaneTabs(viewer: viewer).line)
      lines += fill(viewer.panes.current.lines(viewer), layout.pane.count)
    }
    let choices = ChoicesView(viewer: viewer, layout: layout).lines
    lines.replaceSubrange(lines.count - choices.count..<lines.count, with: choices)
    let (footer, cursor) = FooterBar(viewer: viewer).line
    lines.append(footer)
    if layout.keys != nil { lines.append(KeyBar(viewer: viewer).line) }
    let ellipsis = viewer.page.glyphs.ellipsis
    return Frame(
      lines.map { $0.cut(to: viewer.terminal.columns, ellipsis: ellipsis) },
      cursor: cursor.map {
        Frame.Position(row: layout.footer, column: min($0, viewer.terminal.columns - 1))
      }
    )
  }

  private func fill(_ lines: [Line], _ count: Int) -> [Line] {
    Array(lines.prefix(count)) + Array(repeating: Line(), count: max(0, count - lines.count))
  }

  private var tooSmall: Frame { Self.tooSmall(viewer.terminal) }

  /// Returns the screen of a terminal in which the view doesn't fit.
  static func tooSmall(_ terminal: TerminalState) -> Frame {
    let (columns, rows) = ViewLayout.minSize
    let text = "needs \(columns)x\(rows), is \(terminal.columns)x\(terminal.rows)"
    return Frame([Line(terminal.page.cut(text, to: terminal.columns))])
  }
}
