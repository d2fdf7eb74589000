import TerminalUI
import TraceAnalysis
import TraceFormat
import ViewerConsole

// Handling the mouse, if it is on.
extension Viewer {
  mutating func mouse(_ press: MousePress) {
    guard terminal.usesMouse, !help.isShown, prompt == nil else { return }
    let layout = layout
    if case .drag = press.kind {} else { notice = nil }
    switch press.kind {
    case .wheelUp, .wheelDown:
      let isUp = press.kind == .wheelUp
      if layout.pane.contains(press.row) {
        withCurrentPane { $0.move(.by(isUp ? -1 : 1), in: &$1) }
      } else if press.row >= 1, press.row < layout.timeline.upperBound {
        let time = time(at: press.column, inOverview: layout.overview.contains(press.row))
        zoom(by: isUp ? 0.7 : 1 / 0.7, at: time ?? timeline.cursor)
      }
    case .press(button: 0): click(press, layout)
    case .drag(button: 0):
      guard let drag = terminal.drag, drag.column != press.column,
        let from = time(at: drag.column, inOverview: drag.isInOverview),
        let to = time(at: press.column, inOverview: drag.isInOverview)
      else { break }
      timeline.mark(from: from, to: to)
    case .release:
      if let between = timeline.marks.between, let drag = terminal.drag,
        drag.column != press.column
      {
        say("\(page.duration(between.duration)) selected; f fits it")
      }
      terminal.drag = nil
    default: break
    }
  }

  private mutating func click(_ press: MousePress, _ layout: ViewLayout) {
    if layout.timeline.contains(press.row) {
      focus = .timeline
      clickTimeline(press, line: timeline.list.first + press.row - layout.timeline.lowerBound)
    } else if layout.overview.contains(press.row) {
      guard let time = time(at: press.column, inOverview: true) else { return }
      terminal.drag = TerminalState.Drag(column: press.column, isInOverview: true)
      point(to: min(time, log.duration))
    } else if layout.tabs == press.row {
      guard let pane = PaneTabs(viewer: self).pane(at: press.column) else { return }
      focus = .pane
      panes.turn(to: pane)
    } else if layout.pane.contains(press.row) {
      focus = .pane
      let position = PanePosition(row: press.row - layout.pane.lowerBound, column: press.column)
      withCurrentPane { $0.click(position, in: &$1) }
    }
  }

  private mutating func clickTimeline(_ press: MousePress, line: Int) {
    if press.column == layout.scrollBar {
      let row = press.row - layout.timeline.lowerBound
      return timeline.select(item: ScrollBar(self, layout).item(at: row))
    }
    let isLine = timeline.list.items.indices.contains(line)
    timeline.select(item: isLine ? line : timeline.list.selected)
    // On a label, the click selects the line only.
    guard let time = time(at: press.column) else { return }
    terminal.drag = TerminalState.Drag(column: press.column, isInOverview: false)
    point(to: time)
  }

  /// Returns the time of a screen column, or `nil` outside the timeline.
  private func time(at column: Int, inOverview: Bool = false) -> Nanoseconds? {
    let layout = layout
    let cell = column - layout.labelWidth - ViewLayout.gap
    guard cell >= 0, cell < layout.cells else { return nil }
    let share = (Double(cell) + 0.5) / Double(layout.cells)
    let window = inOverview ? VisibleRange.all(of: log) : timeline.window
    return window.start.after(UInt64(saturating: share * Double(window.duration)))
  }
}
