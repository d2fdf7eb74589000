import TerminalUI
import TraceAnalysis
import ViewerConsole

/// The whole screen: the state of a viewer as lines.
struct ScreenView {
  let viewer: Viewer

  var frame: Frame {
    let layout = viewer.layout
    guard !layout.isTooSmall else { return tooSmall }
    if viewer.help.isShown { return help(layout) }
    var lines = [HeaderBar(viewer).line]
    if !layout.axis.isEmpty { lines += AxisView(viewer, layout).lines }
    lines += TimelinePainter(viewer, layout).lines
    if layout.tabs != nil {
      lines.append(PaneTabs(viewer).line)
      lines += fill(viewer.panes.current.lines(viewer), layout.pane.count)
    }
    let choices = ChoicesView(viewer, layout).lines
    lines.replaceSubrange(lines.count - choices.count..<lines.count, with: choices)
    let (footer, cursor) = FooterBar(viewer).line
    lines.append(footer)
    if layout.keys != nil { lines.append(KeyBar(viewer).line) }
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

  private func help(_ layout: ViewLayout) -> Frame {
    let all = HelpView.lines(columns: viewer.terminal.columns, viewer.page)
    let room = max(1, viewer.terminal.rows - 2)
    let first = max(0, min(viewer.help.row, all.count - room))
    var lines = [Line(DisplayWidth.pad("KEYS", to: viewer.terminal.columns), .reversed)]
    lines += fill(Array(all.dropFirst(first)), room)
    let more = first + room < all.count ? "down for more, any other key closes" : "any key closes"
    lines.append(Line(viewer.page.cut(more, to: viewer.terminal.columns), .dim))
    return Frame(lines)
  }

  private var tooSmall: Frame {
    let (columns, rows) = ViewLayout.minSize
    let text = "needs \(columns)x\(rows), is \(viewer.terminal.columns)x\(viewer.terminal.rows)"
    return Frame([Line(viewer.page.cut(text, to: viewer.terminal.columns))])
  }
}
