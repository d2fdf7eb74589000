import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The detail of a row: its places, its numbers in both logs, and its findings.
struct ComparisonDetail {
  private let row: ComparedLogs.Row
  private let diff: LogDiff
  private let page: Page

  /// The maximum number of findings that are listed.
  private static let maxFindings = 100
  private static let indent = 2

  init(_ row: ComparedLogs.Row, _ diff: LogDiff, _ page: Page) {
    self.row = row
    self.diff = diff
    self.page = page
  }

  var lines: [Line] {
    let findings = row.compared.findings
    let hidden = findings.count - Self.maxFindings
    let more = hidden > 0 ? page.wrap("+\(CountText.make(hidden, "more finding"))", .dim) : []
    return places + numbers + findings.prefix(Self.maxFindings).flatMap(lines) + more
  }

  // MARK: The lane

  /// The places, which differ if the code was edited.
  private var places: [Line] {
    guard let lane = row.compared.lane else { return [] }
    let (old, new) = (lane.before?.site.source, lane.after?.site.source)
    guard lane.before != nil, lane.after != nil, old != new else {
      let only = lane.before == nil ? "only in B  " : lane.after == nil ? "only in A  " : ""
      return [place(new ?? old, after: only)]
    }
    return [place(old, after: "A  "), place(new, after: "B  ")]
  }

  private func place(_ source: String?, after lead: String) -> Line {
    var line = Line(lead, .dim)
    let room = max(1, page.width - line.columns)
    let text = source.map { PlacedText.fit(page.safe($0), to: room, page) }
    line.append(text ?? "source location unknown", text == nil ? .dim : .plain)
    return line
  }

  /// The numbers, with those that differ in bold.
  private var numbers: [Line] {
    guard let lane = row.compared.lane else { return [] }
    var pieces = LaneFigure.allCases.map { figure -> Line in
      let change = figure.change(of: lane, page)
      let text = change ?? CountText.number(figure.values(of: lane).new)
      return piece(figure.title.lowercased(), text, isChanged: change != nil)
    }
    if let lives = LaneFigure.lives(of: lane, page) {
      pieces.append(piece("median life", lives, isChanged: true))
    }
    return page.flow(pieces, separator: page.glyphs.separator)
  }

  private func piece(_ name: String, _ text: String, isChanged: Bool) -> Line {
    var line = Line(name + " ", .dim)
    line.append(text, isChanged ? .bold : .plain)
    return line
  }

  // MARK: Findings

  private func lines(_ change: LogComparison.Change) -> [Line] {
    let log = diff.log(of: change)
    let (group, width) = (change.group, max(1, page.width - Self.indent))
    let style: Style =
      change.isWorse ? Glyphs.suspectStyle : change.kind == .same ? .dim : Style(color: .green)
    var line = Line(Self.sign(change) + change.words + "  ", style)
    let text = FindingText(log: log, page: page)
    var lines: [Line] = []
    // The words about numbers may leave too little room for the place.
    if line.columns + Self.minHeading > page.width {
      lines.append(line.cut(to: page.width, ellipsis: page.glyphs.ellipsis))
      line = Line(DisplayWidth.spaces(Self.indent))
    }
    line.append(text.heading(group, width: page.width - line.columns))
    lines.append(line)
    let words = FindingWords(log: log, page: Page(width: page.width, glyphs: page.glyphs))
    lines += words.wrap(words.message(of: group), indent: min(Self.indent, width))
    let advice = group.findings.first?.advice ?? ""
    guard change.isWorse, !advice.isEmpty else { return lines }
    return lines + words.wrap("fix: " + page.safeBeginning(advice), indent: Self.indent)
  }

  /// The minimum number of columns for a finding and its place.
  private static let minHeading = 44

  private static func sign(_ change: LogComparison.Change) -> String {
    change.isWorse ? "+ " : change.kind == .same ? "= " : "- "
  }
}
