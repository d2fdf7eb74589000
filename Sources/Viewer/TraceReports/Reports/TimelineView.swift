import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
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
    let ticks = TimeAxis.ticks(timeline.scale, page)
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
    line.append(cells)
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

/// A time axis with round times above a line.
struct TimeAxis {
  let ticks: [TimeScale.Tick]
  let scale: TimeScale

  /// Returns round times that are far enough apart for their names.
  static func ticks(_ scale: TimeScale, _ page: Page) -> [TimeScale.Tick] {
    let ticks = scale.ticks(gap: 10)
    let widths = ticks.map {
      DisplayWidth.columns(of: AxisText(page).name(of: $0.time, among: ticks))
    }
    let spaces = zip(ticks.dropFirst(), ticks).map { $0.column - $1.column }
    let widest = widths.max() ?? 0
    return widest < spaces.min() ?? .max ? ticks : scale.ticks(gap: widest + 2)
  }

  func lines(_ page: Page) -> [Line] {
    var names = ""
    let text = AxisText(page)
    for (index, tick) in ticks.enumerated() {
      let name = text.name(of: tick.time, among: ticks)
      let end = index + 1 < ticks.count ? ticks[index + 1].column - 1 : scale.columns
      let width = DisplayWidth.columns(of: name)
      // The last name may have to move back from the edge.
      var column = tick.column
      if column + width > end, index == ticks.count - 1 { column = scale.columns - width }
      guard column > DisplayWidth.columns(of: names) || names.isEmpty, column + width <= end
      else { continue }
      names = DisplayWidth.pad(names, to: column) + name
    }
    var axis = [String](repeating: page.glyphs.axis, count: scale.columns)
    for tick in ticks { axis[tick.column] = page.glyphs.tick }
    return [Line(names, .dim), Line(axis.joined(), .dim)]
  }
}

/// A row of bars, drawn cell by cell.
struct BarRow {
  let row: Timeline.Row
  let gridColumns: Set<Int>

  func line(_ page: Page) -> Line {
    let glyphs = page.glyphs
    var line = Line()
    for (column, cell) in row.cells.enumerated() {
      let style = cell.bar.map { Glyphs.style($0.state, isSuspect: $0.isSuspect) }
      let color = Style(color: style?.color, shade: style?.shade)
      switch cell.sign {
      case .nothing: line.append(gridColumns.contains(column) ? glyphs.grid : " ", .dim)
      case .line: line.append(glyphs.line, color)
      case .start: line.append(glyphs.start, color)
      case .end: line.append(cell.bar.map { glyphs[$0.state] } ?? " ", style ?? .plain)
      case .suspect: line.append(glyphs.suspect, style ?? .plain)
      case .task(let task):
        line.append(glyphs.sign(task), Glyphs.style(task, in: color))
      case .elements(let count): line.append(glyphs.element(count: count) ?? " ", .bold)
      }
    }
    return line
  }
}
