import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A painter for the axis of a comparison and for the lanes below it: two lines for each lane, one
/// for each log.
struct ComparisonPainter {
  private let viewer: ComparisonViewer
  private let layout: ComparisonLayout
  private let scale: TimeScale
  private let ticks: [TimeScale.Tick]
  private var page: Page { viewer.page }

  init(_ viewer: ComparisonViewer, _ layout: ComparisonLayout) {
    self.viewer = viewer
    self.layout = layout
    scale = viewer.window.scale(columns: layout.cells)
    ticks = AxisView.ticks(scale, AxisText(viewer.page))
  }

  // MARK: The axis

  /// The titles of the columns with the times, and the ticks with the cursor.
  var axis: [Line] {
    var titles = Line(DisplayWidth.spaces(ComparisonLayout.signWidth) + "LANE", .dim)
    titles.pad(to: layout.firstNumber)
    for (figure, columns) in figures {
      titles.append(" " + DisplayWidth.padLeft(figure.shortTitle, to: columns), .dim)
    }
    let names = AxisView.names(ticks, AxisText(page), columns: scale.columns)
    let differing = Line(page.cut(position, to: layout.firstCell - 1), .dim)
    return Array([joined(titles, names), joined(differing, tickLine)].prefix(layout.axis.count))
  }

  /// The position in the list, and the number of rows that differ.
  private var position: String {
    let (count, differing) = (viewer.count, viewer.logs.differing)
    guard count > 0 else { return "" }
    let verb = differing == 1 ? "differs" : "differ"
    let row = "\(CountText.number(viewer.list.row + 1)) of \(CountText.number(count))"
    return viewer.hidesSame
      ? "\(row) that \(verb)" : "\(row), \(CountText.number(differing)) \(verb)"
  }

  private var tickLine: Line {
    let glyphs = page.glyphs
    var cells = [BarPainter.Cell](
      repeating: .init(text: glyphs.axis, style: .dim), count: scale.columns)
    for tick in ticks { cells[tick.column].text = glyphs.tick }
    if let cursorColumn {
      cells[cursorColumn] = .init(text: glyphs.cursor, style: Style(color: .cyan, isBold: true))
    }
    return line(cells)
  }

  private var cursorColumn: Int? {
    viewer.window.contains(viewer.cursor) ? scale.column(of: viewer.cursor) : nil
  }

  private func joined(_ label: Line, _ cells: Line) -> Line {
    var line = label
    line.pad(to: layout.firstCell)
    line.append(cells)
    return line
  }

  private func line(_ cells: [BarPainter.Cell]) -> Line {
    var line = Line()
    for cell in cells { line.append(cell.text, cell.style) }
    return line
  }

  // MARK: Lanes

  /// The lines of the visible lanes.
  var lines: [Line] {
    guard viewer.count > 0 else { return page.wrap(emptyText, .dim) }
    return (viewer.list.first..<min(viewer.count, viewer.list.first + layout.rows)).flatMap {
      lines(of: viewer.logs.rows[$0], isSelected: $0 == viewer.list.row)
    }
  }

  private var emptyText: String { "Neither log has subscriptions or findings." }

  private func lines(of row: ComparedLogs.Row, isSelected: Bool) -> [Line] {
    let painter = HillPainter(glyphs: page.glyphs, scale: scale)
    let logs = (viewer.logs.diff.old.log, viewer.logs.diff.new.log)
    let old = row.old.map { painter.hill(of: [$0.population], until: logs.0.duration) }
    let new = row.new.map { painter.hill(of: [$0.population], until: logs.1.duration) }
    // Both curves have one scale, so that their heights can be compared.
    let maxCount = max(1, old?.maxCount ?? 0, new?.maxCount ?? 0)
    func cells(_ hill: HillPainter.Hill?, _ lives: ComparedLogs.Lives?, _ end: Nanoseconds) -> Line
    {
      guard let hill, let lives else { return line(decorated([], isSelected)) }
      let color = Glyphs.style(.active, isSuspect: lives.leaks).color
      var cells = painter.cells(hill, maxCount: maxCount, color: color)
      if lives.leaks, viewer.window.contains(end) {
        cells[scale.column(of: end)] = .init(text: page.glyphs.suspect, style: Glyphs.suspectStyle)
      }
      return line(decorated(cells, isSelected))
    }
    let lane = row.compared.lane
    return [
      joined(
        first(row, isSelected), numbers("A", lane, of: lane?.old),
        cells(old, row.old, logs.0.duration)),
      joined(
        second(row, isSelected), numbers("B", lane, of: lane?.new),
        cells(new, row.new, logs.1.duration)),
    ]
  }

  private func joined(_ label: Line, _ numbers: Line, _ cells: Line) -> Line {
    var line = label
    line.append(numbers)
    return joined(line, cells)
  }

  /// Returns the cells with the grid and the cursor.
  private func decorated(_ cells: [BarPainter.Cell], _ isSelected: Bool) -> [BarPainter.Cell] {
    let glyphs = page.glyphs
    var cells = cells
    cells += Array(repeating: .init(), count: scale.columns - cells.count)
    for tick in ticks where cells[tick.column].text == " " {
      cells[tick.column] = .init(text: glyphs.grid, style: .dim)
    }
    guard let column = cursorColumn else { return cells }
    if isSelected, viewer.focus == .timeline {
      cells[column].style.isReversed = true
    } else if [" ", glyphs.grid].contains(cells[column].text) {
      cells[column] = .init(text: glyphs.cursorLine, style: Style(color: .cyan, isDim: true))
    }
    return cells
  }

  // MARK: Labels

  /// Returns the sign of the change and the name.
  private func first(_ row: ComparedLogs.Row, _ isSelected: Bool) -> Line {
    let (sign, style) = ComparisonSigns.sign(of: row.change, page.glyphs)
    var line = Line(sign, style)
    line.append(" ")
    let name = page.cutMiddle(page.safe(row.name), to: layout.labelWidth)
    var base: Style = isSelected ? .reversed : .plain
    base.isBold = isSelected || row.change < .changed
    line.append(DisplayWidth.pad(name, to: layout.labelWidth), base)
    return line
  }

  /// Returns the place, whose line number is never cut.
  private func second(_ row: ComparedLogs.Row, _ isSelected: Bool) -> Line {
    var line = Line("  ")
    let place = row.place.map {
      PlacedText.fit(page.safe(PlacedText.withoutFolders($0)), to: layout.labelWidth, page)
    }
    let text = place ?? "place unknown"
    let style: Style = isSelected ? .reversed : .dim
    line.append(
      DisplayWidth.pad(page.cutMiddle(text, to: layout.labelWidth), to: layout.labelWidth), style)
    return line
  }

  private var figures: ArraySlice<(figure: LaneFigure, columns: Int)> {
    viewer.logs.figures.prefix(layout.figures)
  }

  /// Returns the letter of a log and the numbers of a lane in it, in bold if the other log has
  /// other numbers.
  private func numbers(
    _ letter: String, _ lane: LogComparison.Lane?, of summary: LaneSummary?
  ) -> Line {
    var line = Line(" " + letter, summary == nil ? .dim : .plain)
    for (figure, columns) in figures {
      let value = figure.value(in: summary)
      let text = value == 0 ? page.glyphs.none : CountText.number(value)
      let values = lane.map { figure.values(of: $0) } ?? (old: 0, new: 0)
      line.append(" ")
      line.append(DisplayWidth.padLeft(text, to: columns), values.old == values.new ? .dim : .bold)
    }
    return line
  }

  /// The numbers of live subscriptions of the selected lane at the cursor.
  var status: Line {
    let step = viewer.window.step(columns: layout.cells)
    var line = Line(AxisText(page).name(of: viewer.cursor, step: step), .bold)
    guard let row = viewer.selected, row.compared.lane != nil else { return line }
    let diff = viewer.logs.diff
    let sides = [("A", row.old, diff.old.log), ("B", row.new, diff.new.log)]
    for (letter, lives, log) in sides {
      let alive = lives.map { $0.population.alive(at: viewer.cursor) }
      let text =
        viewer.cursor > log.duration
        ? "has ended" : alive.map { "\(CountText.number($0)) active" } ?? "no such lane"
      line.append("  \(letter) ", .dim)
      line.append(text)
    }
    line.append("  " + page.safe(row.name), .dim)
    return line
  }
}

/// The signs for how a row differs.
enum ComparisonSigns {
  static func sign(
    of change: LogComparison.Row.Change, _ glyphs: Glyphs
  ) -> (text: String, style: Style) {
    switch change {
    case .worse: (glyphs.suspect, Glyphs.suspectStyle)
    case .better: (glyphs.isASCII ? "v" : "✓", Style(color: .green, isBold: true))
    case .new: ("+", Style(color: .green))
    case .gone: ("-", Style(color: .yellow))
    case .changed: ("~", .plain)
    case .same: ("=", .dim)
    }
  }

  private static func meaning(of change: LogComparison.Row.Change) -> String {
    switch change {
    case .worse: "worse: a new finding, one with more subscriptions, or more failures"
    case .better: "better: a fixed finding, one with fewer subscriptions, or fewer failures"
    case .new: "only in B"
    case .gone: "only in A"
    case .changed: "other numbers, or clearly other lifetimes"
    case .same: "the same"
    }
  }

  /// Returns the meanings of all signs, for the help.
  static func lines(columns: Int, _ page: Page) -> [Line] {
    let glyphs = page.glyphs
    let curve = [glyphs.density.first, glyphs.density.last].compactMap(\.self).joined()
    let timelines = [
      SignsView.Entry(
        sign: curve, style: .dim,
        meaning: "the higher, the more are active at the same time, on one scale for A and B"),
      SignsView.Entry(
        sign: glyphs.failed, style: Glyphs.style(.failed), meaning: "a subscription failed"),
      SignsView.Entry(
        sign: glyphs.suspect, style: Glyphs.suspectStyle, meaning: "the end of a log with a leak"),
    ]
    let changes = LogComparison.Row.Change.allCases.map { change in
      let (text, style) = sign(of: change, glyphs)
      return SignsView.Entry(sign: text, style: style, meaning: meaning(of: change))
    }
    return SignsView.block("Lanes", changes, columns: columns, page) + [Line()]
      + SignsView.block("Timelines", timelines, columns: columns, page)
  }
}
