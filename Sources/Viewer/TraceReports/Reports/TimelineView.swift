import TerminalUI
import TraceAnalysis
import ViewerConsole

/// A timeline with a row for each lane, with subscriptions as bars under one time axis.
struct TimelineView {
  let timeline: Timeline
  /// The width of lane names in columns.
  let labelWidth: Int

  private static let gap = 2

  init(
    _ figures: ExcerptFigures, suspects: Set<Int>, _ options: ReportOptions, page: Page
  ) throws(LogError) {
    let excerpt = figures.excerpt
    let ranking =
      options.order == nil ? nil : options.sort(LaneSummary.lanes(of: figures)).map(\.lane)
    let selection = LaneSelection(excerpt, limit: options.maxCount(40), ranking: ranking)
    let widest = selection.nodes.lazy
      .map { 2 * $0.depth + DisplayWidth.columns(of: page.safe($0.lane)) }.max()
    let maxWidth = max(page.width * 3 / 10, min(8, max(1, page.width - 6)))
    labelWidth = min(max(widest ?? 0, min(12, maxWidth)), maxWidth)
    timeline = try Timeline(
      excerpt, selection, suspects: suspects,
      columns: max(4, page.width - labelWidth - TimelineView.gap))
  }

  func lines(_ page: Page) -> [Line] {
    let ticks = timeline.scale.ticks(gap: 10)
    var lines = TimeAxis(ticks: ticks, scale: timeline.scale).lines(page).map { axis in
      label("", axis, .plain)
    }
    if let first = lines.first, labelWidth >= 8 {
      var titled = Line("TIMELINE", .bold)
      titled.pad(to: labelWidth + TimelineView.gap)
      for span in first.spans.dropFirst() { titled.append(span.text, span.style) }
      lines[0] = titled
    }
    let isTick = Set(ticks.map(\.column))
    let branches = TreeBranches.of(depths: timeline.lanes.map(\.depth))
    for (lane, branches) in zip(timeline.lanes, branches) {
      let name = page.glyphs.text(branches) + page.safe(lane.name)
      for (index, row) in lane.rows.enumerated() {
        let cells = BarRow(row: row, gridColumns: isTick)
        lines.append(
          label(index == 0 ? page.cutMiddle(name, to: labelWidth) : "", cells.line(page), .plain))
      }
      if let folded = lane.folded {
        let count = "+\(CountText.number(folded.count)) more"
        let indent = DisplayWidth.spaces(min(lane.depth * 2, labelWidth / 3))
        lines.append(
          label(page.cut(indent + count, to: labelWidth), density(folded.alive, page), .dim))
      }
    }
    if timeline.selection.hiddenLanes > 0 {
      let subscriptions = CountText.make(timeline.selection.hiddenSubscriptions, "subscription")
      let lanes = CountText.make(timeline.selection.hiddenLanes, "more lane")
      lines += page.wrap("+\(lanes) with \(subscriptions)", .dim)
    }
    let legend = TimelineLegend(timeline: timeline).lines(page)
    return legend.isEmpty ? lines : lines + [Line()] + legend
  }

  private func label(_ text: String, _ cells: Line, _ style: Style) -> Line {
    var line = Line(text, style)
    line.append(DisplayWidth.spaces(labelWidth + TimelineView.gap - line.columns))
    for span in cells.spans { line.append(span.text, span.style) }
    return line
  }

  /// Returns the number of live subscriptions over time as a density curve.
  private func density(_ alive: [Int], _ page: Page) -> Line {
    let glyphs = page.glyphs
    let maxCount = alive.max() ?? 1
    let text = alive.map { count in
      count == 0 ? " " : glyphs.density[glyphs.densityIndex(count, of: maxCount)]
    }
    return Line(text.joined(), Style(isDim: true))
  }
}
