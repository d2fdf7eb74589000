import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

extension PaneID {
  static let events = PaneID(title: "Events")
}

/// The pane with the events of the selected row, or of all lanes, around the cursor.
struct EventsPane: Pane {
  static let id = PaneID.events
  static let help = "list the events of the row"

  /// A Boolean value that indicates whether the events of all lanes are listed.
  private(set) var listsAll = false

  mutating func list(all: Bool) { listsAll = all }

  func subject(in viewer: Viewer) -> String? {
    guard !listsAll else {
      let zoom = viewer.timeline.fitsAll ? "" : ", as zoomed"
      return "all lanes" + (viewer.timeline.marks.between == nil ? zoom : ", A to B")
    }
    return viewer.timeline.selectedLane.map { lane in
      let name = viewer.page.safe(lane.name)
      let row = viewer.timeline.listedRow.map { row in
        ", row \(CountText.number(row.number)) of \(CountText.number(row.count))"
      }
      return name + (row ?? "") + (viewer.timeline.marks.between == nil ? "" : ", A to B")
    }
  }

  mutating func sort(in viewer: Viewer) -> PaneSorting {
    .fixed("events are always in the order of time")
  }

  func events(_ viewer: Viewer) -> EventRequest? {
    let height = max(2, viewer.layout.pane.count)
    return EventRequest(
      scope: listsAll ? .shown : viewer.timeline.listedScope, position: viewer.timeline.position,
      before: height,
      after: height, revision: viewer.snapshot.revision,
      listRevision: viewer.timeline.list.revision)
  }

  mutating func move(_ movement: PaneMovement, in viewer: inout Viewer) {
    switch movement {
    case .first: viewer.point(to: range(viewer)?.start ?? .zero)
    case .last:
      viewer.point(to: min(range(viewer)?.end ?? viewer.log.duration, viewer.log.duration))
      if viewer.feed.reading.follows { viewer.timeline.keepEnd() }
    case .by(let distance):
      let page = page(viewer)
      let index = (page.current ?? -1) + distance
      guard !page.events.isEmpty else { return }
      viewer.timeline.go(
        to: page.events[max(0, min(index, page.events.count - 1))], staysInRow: !listsAll)
    }
  }

  mutating func click(_ position: PanePosition, in viewer: inout Viewer) {
    let page = page(viewer)
    let row = position.row - (listsAll ? 1 : 0)
    let index = shown(page, height: height(viewer)).lowerBound + row
    guard row >= 0, page.events.indices.contains(index) else { return }
    viewer.timeline.go(to: page.events[index], staysInRow: !listsAll)
  }

  mutating func open(in viewer: inout Viewer) { viewer.show(.detail) }

  // MARK: Lines

  /// The number of lines for events. The list of all lanes has titles above them.
  private func height(_ viewer: Viewer) -> Int {
    max(1, viewer.layout.pane.count - (listsAll ? 1 : 0))
  }

  /// Returns the range of times whose events are listed: between two marks or, for all lanes, what
  /// is visible; `nil` for everything.
  private func range(_ viewer: Viewer) -> TimeRange? {
    if let between = viewer.timeline.marks.between { return between }
    guard listsAll, !viewer.timeline.fitsAll else { return nil }
    return TimeRange(from: viewer.timeline.window.start, through: viewer.timeline.window.end)
  }

  /// Returns the events that were read and are in the range.
  private func page(_ viewer: Viewer) -> EventPage {
    var page = viewer.panes.events
    guard let range = range(viewer) else { return page }
    let first = page.events.partitionPoint { $0.time >= range.start }
    let end = page.events.partitionPoint { $0.time > range.end }
    page.events = Array(page.events[first..<max(first, end)])
    page.current = page.current.flatMap { page.events.isEmpty ? nil : max(0, $0 - first) }
      .map { min($0, page.events.count - 1) }
    return page
  }

  func lines(_ viewer: Viewer) -> [Line] {
    let page = page(viewer)
    guard !page.events.isEmpty else {
      let isUnreadable = viewer.feed.reading.change != nil
      let place =
        viewer.timeline.marks.between == nil
        ? "" : " between the marks near the cursor; Esc removes the marks"
      let rows = listsAll ? "" : " in this row"
      let text = isUnreadable ? "the file has changed" : "no events\(rows)\(place)"
      return [Line(page.request == nil ? "" : text, .dim)]
    }
    let shown = shown(page, height: height(viewer))
    let times = AxisText(viewer).column(of: page.events.map(\.time), shown: shown)
    let width = max(11, times.map { DisplayWidth.columns(of: $0) }.max() ?? 0)
    let lanes = listsAll ? laneWidth(page.events[shown], viewer) : 0
    let lines = zip(shown, times).map { index, time in
      let text = DisplayWidth.padLeft(time, to: width) + difference(index, page.events, viewer)
      return line(
        page.events[index], text, lanes: lanes, isCurrent: index == page.current, viewer)
    }
    guard listsAll else { return lines }
    let gap = viewer.page.width >= Self.minColumnsForDifference ? Self.differenceWidth : 0
    let title =
      DisplayWidth.pad(DisplayWidth.padLeft("TIME", to: width), to: width + gap + 2)
      + DisplayWidth.pad("SUB", to: 8) + DisplayWidth.pad("LANE", to: lanes)
      + DisplayWidth.pad("EVENT", to: 13) + "VALUE"
    return [Line(viewer.page.cut(title, to: viewer.page.width), .dim)] + lines
  }

  /// Returns the width of the column with lanes.
  private func laneWidth(_ events: ArraySlice<LogEvent>, _ viewer: Viewer) -> Int {
    let widest =
      events.compactMap(\.lifecycle).map { index in
        DisplayWidth.columns(of: viewer.page.safe(viewer.log.lifecycles[index].site.lane))
      }.max() ?? 0
    return min(max(4, widest), max(6, viewer.page.width / 4)) + 2
  }

  /// Returns the range of visible events on a page. The current event is in the middle, except near
  /// the beginning and the end.
  private func shown(_ page: EventPage, height: Int) -> Range<Int> {
    let count = page.events.count
    let first = max(0, min(max(0, page.current ?? 0) - height / 2, count - height))
    return first..<min(count, first + height)
  }

  /// Returns the time since the previous event of the row. It is left out on narrow screens, and
  /// unknown for the first event that was read.
  private func difference(_ index: Int, _ events: [LogEvent], _ viewer: Viewer) -> String {
    guard viewer.page.width >= Self.minColumnsForDifference else { return "" }
    let text =
      index > 0
      ? "+" + viewer.page.duration(events[index].time.since(events[index - 1].time)) : ""
    return DisplayWidth.padLeft(text, to: Self.differenceWidth)
  }

  private static let minColumnsForDifference = 72
  private static let differenceWidth = 12

  private func line(
    _ event: LogEvent, _ time: String, lanes: Int, isCurrent: Bool, _ viewer: Viewer
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
    if lanes > 0 {
      let lane = event.lifecycle.map { page.safe(log.lifecycles[$0].site.lane) } ?? ""
      line.append(DisplayWidth.pad(page.cutMiddle(lane, to: lanes - 2), to: lanes), base)
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
