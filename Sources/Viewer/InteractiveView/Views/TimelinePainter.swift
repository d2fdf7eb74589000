import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A painter for the lanes below the axis, with a label and bars for each visible line.
struct TimelinePainter {
  private let viewer: Viewer
  private let layout: ViewLayout
  private let scale: TimeScale
  private let grid: Set<Int>
  private let painter: BarPainter

  init(_ viewer: Viewer, _ layout: ViewLayout) {
    self.viewer = viewer
    self.layout = layout
    scale = viewer.timeline.window.scale(columns: layout.cells)
    grid = Set(AxisView.ticks(scale, AxisText(viewer)).map(\.column))
    painter = BarPainter(viewer, scale)
  }

  var lines: [Line] {
    let shown = viewer.timeline.list.items.dropFirst(viewer.timeline.list.first).prefix(
      layout.timeline.count)
    var lines = shown.enumerated().map { offset, item in
      line(item, isSelected: viewer.timeline.list.first + offset == viewer.timeline.list.selected)
    }
    if viewer.timeline.list.items.isEmpty, !layout.timeline.isEmpty { lines = emptyText }
    lines += Array(repeating: Line(), count: max(0, layout.timeline.count - lines.count))
    // The meanings of the signs are in the last free lines.
    let legend = viewer.legend
    if layout.timeline.count - shown.count > legend.count, !shown.isEmpty {
      lines.replaceSubrange(lines.count - legend.count..<lines.count, with: legend)
    }
    lines = Array(lines.prefix(layout.timeline.count))
    guard let column = layout.scrollBar else { return lines }
    return zip(lines, ScrollBar(viewer, layout).cells).map { line, cell in
      var line = line
      line.pad(to: column)
      line.append(cell.text, cell.style)
      return line
    }
  }

  /// The reason that there is nothing to see.
  private var emptyText: [Line] {
    let text: String
    if viewer.log.logs.isEmpty {
      let isThere = viewer.feed.reading.bytesTotal > 0
      text =
        !viewer.feed.reading.follows
        ? ""
        : isThere ? "The file has no records yet." : "Waiting for the log file."
    } else if !viewer.viewed.arrangement.filter.isEmpty {
      text = "No matches. Esc clears the filter."
    } else {
      text = "The log has no subscriptions. Add .lane(\"name\") to a pipeline to trace it."
    }
    return viewer.page.wrap(text, .dim)
  }

  private func line(_ item: TimelineRows.Item, isSelected: Bool) -> Line {
    let lane = viewer.outline.lanes[item.lane]
    let isFolded = viewer.timeline.list.folded.contains(lane.key)
    var line = label(item, lane, isFolded: isFolded, isSelected: isSelected)
    line.pad(to: layout.labelWidth + ViewLayout.gap)
    var cells =
      isFolded || item.row >= lane.rows.count
      ? painter.hill(lane, isFolded: isFolded) : painter.bars(lane.rows[item.row])
    decorate(&cells, isSelected: isSelected)
    for cell in cells { line.append(cell.text, cell.style) }
    return line
  }

  /// Draws the grid and the cursor, and dims the future in a replay.
  private func decorate(_ cells: inout [BarPainter.Cell], isSelected: Bool) {
    let glyphs = viewer.page.glyphs
    for column in grid where cells[column].text == " " {
      cells[column] = .init(text: glyphs.grid, style: .dim)
    }
    guard viewer.timeline.window.contains(viewer.timeline.cursor) else { return }
    let column = scale.column(of: viewer.timeline.cursor)
    if viewer.isReplaying {
      for later in cells.indices where later > column { cells[later].style = .dim }
    }
    if isSelected, viewer.focus == .timeline {
      cells[column].style.isReversed = true
    } else if cells[column].text == " "
      || grid.contains(column) && cells[column].text == glyphs.grid
    {
      cells[column] = .init(text: glyphs.cursorLine, style: Style(color: .cyan, isDim: true))
    }
  }

  private func label(
    _ item: TimelineRows.Item, _ lane: TimelineRows.Lane, isFolded: Bool, isSelected: Bool
  ) -> Line {
    let page = viewer.page
    var base: Style = isSelected ? .reversed : .plain
    let indent = DisplayWidth.spaces(min(lane.depth * 2, layout.labelWidth / 3))
    guard item.row == 0 else {
      let isOverflow = item.row >= lane.rows.count
      let text = isOverflow ? "\(indent)  +\(CountText.number(lane.overflow.count)) more" : indent
      base.isDim = !isSelected
      return Line(
        DisplayWidth.pad(page.cut(text, to: layout.labelWidth), to: layout.labelWidth), base)
    }
    let sign = lane.canFold ? (isFolded ? page.glyphs.folded : page.glyphs.unfolded) : " "
    let count =
      isFolded ? foldedCount(item.lane) : lane.layout.population.alive(at: viewer.timeline.cursor)
    let number = count > 0 ? " " + CountText.number(count) : ""
    let alarm = lane.leaks > 0 ? page.glyphs.suspect : ""
    let room =
      layout.labelWidth - DisplayWidth.columns(of: indent) - 2
      - DisplayWidth.columns(of: number) - DisplayWidth.columns(of: alarm)
    // The beginning of a name is more useful than an ellipsis.
    let safe = page.safe(lane.name)
    let name =
      room < 8
      ? DisplayWidth.cut(safe, to: max(1, room), ellipsis: "")
      : page.cutMiddle(safe, to: room)
    var line = Line("\(indent)\(sign) ", base)
    var style = base
    style.isBold = isSelected || lane.members.isEmpty || lane.isPinned
    line.append(DisplayWidth.pad(name, to: max(1, room)), style)
    if !alarm.isEmpty {
      line.append(alarm, isSelected ? base : Glyphs.suspectStyle)
    }
    if !number.isEmpty {
      var dim = base
      dim.isDim = !isSelected
      line.append(number, dim)
    }
    return line.cut(to: layout.labelWidth, ellipsis: page.glyphs.ellipsis)
  }

  /// Returns the number of subscriptions in a lane and the lanes below it that are alive at the
  /// cursor.
  private func foldedCount(_ number: Int) -> Int {
    let lanes = viewer.outline.lanes
    var count = lanes[number].layout.population.alive(at: viewer.timeline.cursor)
    for lane in lanes[(number + 1)...] {
      guard lane.depth > lanes[number].depth else { break }
      count += lane.layout.population.alive(at: viewer.timeline.cursor)
    }
    return count
  }
}
