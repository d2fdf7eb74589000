import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The differences between two logs: a table of the changed lanes, the findings that are new or
/// fixed, and the verdict last.
struct DiffView {
  let diff: LogDiff

  /// The maximum number of lanes and of findings. Additional ones are summed up.
  private static let maxRows = 60

  func lines(_ page: Page) -> [Line] {
    var lines = side("OLD", diff.old, page) + side("NEW", diff.new, page)
    if diff.isReversed {
      lines += page.wrap("The old log was started after the new one.", Style(color: .yellow))
    }
    if diff.hasNothingInCommon {
      lines += page.wrap(
        "No lane is in both logs. They may be of different programs.", Style(color: .yellow))
    }
    lines.append(Line())
    // Searches for leaked objects don't have lanes.
    if DiffView.hasLanes(diff) { lines += lanes(page) + [Line()] }
    let findings = findings(page)
    if !findings.isEmpty { lines += [Line("FINDINGS", .bold)] + findings + [Line()] }
    return lines + [verdict(page)]
  }

  private func side(_ title: String, _ side: LogDiff.Side, _ page: Page) -> [Line] {
    var pieces = [Line(page.cutMiddle(page.safe(side.name), to: max(8, page.width - 8)), .bold)]
    if let process = side.log.header?.process { pieces.append(Line(page.safe(process))) }
    if let started = side.log.header?.started {
      pieces.append(Line("started " + page.safe(WallClockText.make(started))))
    }
    pieces.append(Line(LogSentences.size(of: side.log)))
    pieces.append(Line(CountText.make(side.verdict.groups.count, "finding")))
    return page.flow(
      pieces, separator: page.glyphs.separator, first: Line(title + "  "), indent: page.indent(5))
  }

  private static func hasLanes(_ diff: LogDiff) -> Bool {
    [diff.old.log, diff.new.log].contains { side in
      side.logs.isEmpty || side.logs.contains { $0.searched == nil }
    }
  }

  // MARK: Lanes

  private struct Column {
    let title: String
    let value: (LogComparison.Lane) -> String
  }

  private func lanes(_ page: Page) -> [Line] {
    let lanes = diff.comparison.lanes.prefix(DiffView.maxRows)
    let unchanged = CountText.make(diff.comparison.unchangedLanes, "lane")
    guard !lanes.isEmpty else { return page.wrap("\(unchanged) unchanged.") }
    let names = lanes.map { page.safe($0.title) }
    let widest = names.map { DisplayWidth.columns(of: $0) }.max() ?? 4
    let laneWidth = max(4, min(widest, page.width * 4 / 10))
    var columns = columns(page).map { column -> (Column, Int) in
      let widths = lanes.map { DisplayWidth.columns(of: column.value($0)) }
      return (column, max(column.title.utf8.count, widths.max() ?? 0))
    }
    // The last columns are the least important ones.
    while columns.count > 1, columns.reduce(laneWidth + 2, { $0 + $1.1 + 2 }) > page.width {
      columns.removeLast()
    }
    var title = Line("  " + DisplayWidth.pad("LANE", to: laneWidth), .bold)
    for (column, width) in columns {
      title.append("  " + DisplayWidth.pad(column.title, to: width), .bold)
    }
    var lines = [title.cut(to: page.width, ellipsis: page.glyphs.ellipsis)]
    for (lane, name) in zip(lanes, names) {
      let (sign, style) = DiffView.sign(lane.change)
      var line = Line(sign + " " + page.cutMiddle(name, to: laneWidth), style)
      line.pad(to: laneWidth + 2)
      for (column, width) in columns {
        let value = column.value(lane)
        line.append("  ")
        line.append(DisplayWidth.pad(value, to: width), value == page.glyphs.none ? .dim : .plain)
      }
      lines.append(line.cut(to: page.width, ellipsis: page.glyphs.ellipsis))
    }
    let hidden = diff.comparison.lanes.count - lanes.count
    if hidden > 0 {
      lines += page.wrap("+\(CountText.make(hidden, "more lane")) that differ", .dim)
    }
    if diff.comparison.unchangedLanes > 0 {
      lines += page.wrap("\(unchanged) unchanged", .dim)
    }
    return lines
  }

  private func columns(_ page: Page) -> [Column] {
    LaneFigure.allCases.map { figure in
      Column(title: figure.title.uppercased()) { lane in
        figure.change(of: lane, page) ?? page.glyphs.none
      }
    } + [
      Column(title: "MEDIAN LIFE") { LaneFigure.lives(of: $0, page) ?? page.glyphs.none }
    ]
  }

  private static func sign(_ change: LogComparison.Lane.Change) -> (String, Style) {
    switch change {
    case .new: ("+", Style(color: .green))
    case .gone: ("-", Style(color: .red))
    case .changed: (" ", .plain)
    }
  }

  // MARK: Findings

  /// Returns the findings that changed, in the form that a check has. Those that are worse have
  /// all details.
  private func findings(_ page: Page) -> [Line] {
    let changes = diff.comparison.changes
    var lines: [Line] = []
    for change in changes.prefix(DiffView.maxRows) {
      let view = FindingsView(diff.log(of: change), [change.group])
      let style = change.isWorse ? Glyphs.suspectStyle : Style(color: .green)
      let lead = Line((change.isWorse ? "+ " : "- ") + change.words, style)
      lines += view.summary(of: change.group, after: lead, page)
      if change.isWorse { lines += view.details(of: change.group, page) }
    }
    let hidden = changes.count - min(changes.count, DiffView.maxRows)
    if hidden > 0 {
      lines += page.wrap("+\(CountText.make(hidden, "more finding")) that changed", .dim)
    }
    return lines
  }

  /// Returns the verdict on one line, because scripts search for its words.
  private func verdict(_ page: Page) -> Line {
    Line(page.safe(diff.sentence), diff.style)
  }
}
