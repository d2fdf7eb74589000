import TerminalUI
import TraceAnalysis
import TraceFormat

/// The events of the selected row around the cursor.
struct EventList {
  private let viewer: Viewer
  private let height: Int

  init(_ viewer: Viewer, _ layout: ViewLayout) {
    self.viewer = viewer
    height = layout.pane.count
  }

  var lines: [Line] {
    let events = viewer.events.events
    guard !events.isEmpty else {
      let isUnreadable = viewer.reading.change != nil
      let text = isUnreadable ? "the file has changed" : "nothing happens in this row"
      return [Line(viewer.events.request == nil ? "" : text, .dim)]
    }
    let shown = Self.shown(viewer.events, height: height)
    let times = shown.map { time(of: events[$0]) }
    let width = max(11, times.map { DisplayWidth.columns(of: $0) }.max() ?? 0)
    return zip(shown, times).map { index, time in
      line(
        events[index], DisplayWidth.padLeft(time, to: width),
        isCurrent: index == viewer.events.current)
    }
  }

  /// Returns the range of visible events on a page. The current event is in the middle, except near
  /// the beginning and the end.
  static func shown(_ page: EventPage, height: Int) -> Range<Int> {
    let count = page.events.count
    let first = max(0, min(max(0, page.current ?? 0) - height / 2, count - height))
    return first..<min(count, first + height)
  }

  private func time(of event: LogEvent) -> String {
    let step = min(1_000_000, viewer.window.step(columns: viewer.layout.cells))
    return AxisText(viewer).column(of: event.time, step: step)
  }

  private func line(_ event: LogEvent, _ time: String, isCurrent: Bool) -> Line {
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
      line.append("  (\(CountText.make(truncated, "byte")))", .dim)
    }
    if let thread = EventText(log: log, page: page).thread(event) {
      line.append("  [\(page.safe(thread))]", isCurrent ? base : .dim)
    }
    line = line.cut(to: viewer.columns, ellipsis: page.glyphs.ellipsis)
    if base.isReversed { line.append(DisplayWidth.spaces(viewer.columns - line.columns), base) }
    return line
  }
}
