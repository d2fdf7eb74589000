import TerminalUI
import TraceAnalysis
import TraceFormat

// Handling the mouse, if it is on.
extension Viewer {
  mutating func mouse(_ press: MousePress) -> [Effect] {
    guard usesMouse, !showsHelp, prompt == nil else { return [] }
    let layout = layout
    if case .drag = press.kind {} else { notice = nil }
    switch press.kind {
    case .wheelUp, .wheelDown:
      let isUp = press.kind == .wheelUp
      if layout.pane.contains(press.row) {
        _ = moveInPane(isUp ? .up : .down)
      } else if layout.timeline.contains(press.row) || layout.axis.contains(press.row) {
        zoom(by: isUp ? 0.7 : 1 / 0.7, at: time(at: press.column) ?? cursor)
      }
    case .press(button: 0): return click(press, layout)
    case .drag(button: 0):
      guard let start = drag, let from = time(at: start), let to = time(at: press.column),
        start != press.column
      else { break }
      marks.set(from, to)
      cursor = to
      event = nil
    case .release:
      if let between = marks.between, drag.map({ $0 != press.column }) ?? false {
        notice = Notice(
          text: "\(page.duration(between.duration)) selected; f fits it")
      }
      drag = nil
    default: break
    }
    return []
  }

  private mutating func click(_ press: MousePress, _ layout: ViewLayout) -> [Effect] {
    if layout.timeline.contains(press.row) {
      focus = .timeline
      let line = firstItem + press.row - layout.timeline.lowerBound
      if items.indices.contains(line) { item = line }
      if let time = time(at: press.column) {
        drag = press.column
        point(to: time)
      } else {
        select(item: item)
      }
    } else if layout.tabs == press.row {
      if let kind = PaneTabs(self).kind(at: press.column) {
        focus = .pane
        pane = kind
        return pane == .summary && !isSummaryCurrent ? [.summarize] : []
      }
    } else if layout.pane.contains(press.row) {
      clickPane(row: press.row - layout.pane.lowerBound)
    }
    return []
  }

  private mutating func clickPane(row: Int) {
    focus = .pane
    let height = max(1, layout.pane.count - 1)
    switch pane {
    case .subscriptions where row > 0:
      lists.subscriptions.go(
        to: lists.subscriptions.first + row - 1, count: lists.members.count, height: height)
      _ = moveInPane(.left)
      takeClicked()
    case .findings:
      let row = row - FindingHead(self).lines.count
      guard row >= 0 else { break }
      lists.findings.go(
        to: lists.findings.first + row, count: viewed.findings.count, height: findingRows)
    case .events:
      let shown = EventList.shown(events, height: layout.pane.count)
      if shown.indices.contains(shown.lowerBound + row) {
        point(to: events.events[shown.lowerBound + row])
      }
    case .summary where row > 0:
      lists.summary.go(
        to: lists.summary.first + row - 1, count: statistics?.count ?? 0, height: height)
    default: break
    }
  }

  private mutating func takeClicked() {
    guard lists.members.indices.contains(lists.subscriptions.row) else { return }
    go(to: lists.members[lists.subscriptions.row])
    lists.lane = selectedLane?.key
  }

  /// Returns the time of a screen column, or `nil` outside the timeline.
  private func time(at column: Int) -> Nanoseconds? {
    let cell = column - layout.labelWidth - ViewLayout.gap
    guard cell >= 0, cell < layout.cells else { return nil }
    let share = (Double(cell) + 0.5) / Double(layout.cells)
    return window.start.after(UInt64(saturating: share * Double(window.duration)))
  }
}
