import TerminalUI
import TraceAnalysis
import TraceFormat
import ViewerConsole

extension PaneID {
  static let events = PaneID(title: "Events")
}

/// The pane with the events of the selected row around the cursor.
struct EventsPane: Pane {
  static let id = PaneID.events
  static let help = "list the events of the row"

  func subject(in viewer: Viewer) -> String? {
    viewer.timeline.selectedLane.map { viewer.page.safe($0.name) }
  }

  func events(_ viewer: Viewer) -> EventRequest? {
    let height = max(2, viewer.layout.pane.count)
    return EventRequest(
      scope: viewer.timeline.rowScope, position: viewer.timeline.position, before: height,
      after: height, revision: viewer.snapshot.revision,
      listRevision: viewer.timeline.list.revision)
  }

  mutating func move(_ movement: PaneMovement, in viewer: inout Viewer) {
    switch movement {
    case .first: viewer.point(to: .zero)
    case .last:
      viewer.point(to: viewer.log.duration)
      if viewer.feed.reading.follows { viewer.timeline.keepEnd() }
    case .by(let distance):
      let page = viewer.panes.events
      let index = (page.current ?? -1) + distance
      guard !page.events.isEmpty else { return }
      viewer.timeline.point(to: page.events[max(0, min(index, page.events.count - 1))])
    }
  }

  mutating func click(_ position: PanePosition, in viewer: inout Viewer) {
    let page = viewer.panes.events
    let index = shown(page, height: viewer.layout.pane.count).lowerBound + position.row
    if page.events.indices.contains(index) { viewer.timeline.point(to: page.events[index]) }
  }

  mutating func open(in viewer: inout Viewer) { viewer.show(.detail) }

  // MARK: Lines

  func lines(_ viewer: Viewer) -> [Line] {
    let page = viewer.panes.events
    guard !page.events.isEmpty else {
      let isUnreadable = viewer.feed.reading.change != nil
      let text = isUnreadable ? "the file has changed" : "no events in this row"
      return [Line(page.request == nil ? "" : text, .dim)]
    }
    let shown = shown(page, height: viewer.layout.pane.count)
    let times = shown.map { time(of: page.events[$0], viewer) }
    let width = max(11, times.map { DisplayWidth.columns(of: $0) }.max() ?? 0)
    return zip(shown, times).map { index, time in
      line(
        page.events[index], DisplayWidth.padLeft(time, to: width),
        isCurrent: index == page.current, viewer)
    }
  }

  /// Returns the range of visible events on a page. The current event is in the middle, except near
  /// the beginning and the end.
  private func shown(_ page: EventPage, height: Int) -> Range<Int> {
    let count = page.events.count
    let first = max(0, min(max(0, page.current ?? 0) - height / 2, count - height))
    return first..<min(count, first + height)
  }

  private func time(of event: LogEvent, _ viewer: Viewer) -> String {
    let step = min(1_000_000, viewer.timeline.window.step(columns: viewer.layout.cells))
    return AxisText(viewer).column(of: event.time, step: step)
  }

  private func line(
    _ event: LogEvent, _ time: String, isCurrent: Bool, _ viewer: Viewer
  ) -> Line {
    let page = viewer.page
    let log = viewer.log
    let base: Style = isCurrent ? (viewer.focus == .pane ? .reversed : .bold) : .plain
    var line = Line(time + "  ", base)
    if let index = event.lifecycle {
      line.append(
        DisplayWidth.pad(page.cut(page.safe(log.name(of: log.lifecycles[index])), to: 8), to: 8),
        base)
    } else {
      line.append(DisplayWidth.spaces(8), base)
    }
    var style = EventText.style(event.kind)
    style.isReversed = base.isReversed
    style.isBold = style.isBold || base.isBold
    line.append(DisplayWidth.pad(event.kind.rawValue, to: 13), style)
    if let text = event.text { line.append(page.safeBeginning(text), base) }
    if let truncated = event.truncated {
      line.append("  (at least \(CountText.make(truncated, "byte")))", .dim)
    }
    if let thread = EventText(log: log, page: page).thread(event) {
      line.append("  [\(page.safe(thread))]", isCurrent ? base : .dim)
    }
    line = line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)
    if base.isReversed { line.append(DisplayWidth.spaces(page.width - line.columns), base) }
    return line
  }
}
