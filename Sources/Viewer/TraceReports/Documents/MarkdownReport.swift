import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A report as Markdown for a pull request: the findings, a summary of each lane, and the timeline
/// as text.
struct MarkdownReport {
  private let excerpt: LogExcerpt
  private let figures: ExcerptFigures
  private let verdict: Verdict
  private let options: ReportOptions
  private let page: Page
  private let timeline: TimelineView

  /// The maximum number of findings. Services cut off long comments.
  private static let maxFindings = 50
  private static let maxPaths = 20

  private var log: LogAnalysis { excerpt.log }

  init(
    _ excerpt: LogExcerpt, _ verdict: Verdict, _ options: ReportOptions, page: Page
  ) throws(LogError) {
    self.excerpt = excerpt
    figures = try ExcerptFigures(excerpt).ofSubscriptions
    self.verdict = verdict
    self.options = options
    self.page = page
    let leaks = verdict.findings.filter { $0.isProven && $0.level == .error }
      .flatMap { [$0.lifecycle] + $0.consequences }
    timeline = try TimelineView(figures, suspects: Set(leaks), options, page: page)
  }

  var lines: [String] {
    let title = log.logs.count == 1 ? log.logs[0].title : CountText.make(log.logs.count, "log")
    var lines = ["# Trace report: \(Escaping.markdownCell(title))", ""]
    lines += ["**\(cell(VerdictView(log, verdict).line(page)))**", ""]
    lines += HeaderView(log: log, verdict: verdict).lines(page.unbounded).map { "- " + cell($0) }
    lines += ExcerptView(excerpt, verdict).sentence(page).map { ["- \($0)"] } ?? []
    lines.append("")
    lines += notes
    guard !excerpt.members.isEmpty else {
      return lines + ["No subscription matches the filter."]
    }
    return lines + findings + (figures.excerpt.members.isEmpty ? [] : lanes + picture)
  }

  /// The notes of the user, as a list.
  private var notes: [String] {
    guard !options.notes.isEmpty else { return [] }
    let items = options.notes.map { note in
      "- \(page.duration(note.time)): \(Escaping.markdownCell(note.text))"
    }
    return ["## Notes", ""] + items + [""]
  }

  private func cell(_ line: Line) -> String {
    Escaping.markdownCell(line.text)
  }

  private var findings: [String] {
    let order = verdict.groups(of: excerpt)
    guard !order.isEmpty else { return [] }
    let isOnlyObjects = figures.excerpt.members.isEmpty
    let markdown = FindingMarkdown(log: log, page: page)
    let titles =
      FindingMarkdown.titles(isOnlyObjects: isOnlyObjects)
      + [isOnlyObjects ? "Process" : "Subscriptions"]
    let table = MarkdownTable(
      columns: titles.map { .init(title: $0) },
      rows: order.prefix(MarkdownReport.maxFindings).map { group in
        markdown.cells(group, place: place(of: group)) + [markdown.names(of: group, max: 5)]
      })
    let rest = order.count - MarkdownReport.maxFindings
    let more = rest > 0 ? ["", "and \(CountText.make(rest, "more finding"))"] : []
    return ["## Findings", ""] + table.lines + more + [""]
      + order.prefix(MarkdownReport.maxPaths).flatMap(markdown.path)
  }

  private func place(of group: FindingGroup) -> String {
    let made = [group.site.source, group.site.function].compactMap { $0 }
    let observed = [group.observed?.source, group.observed?.function].compactMap { $0 }
    return (observed.isEmpty ? made : ["observed at"] + observed).joined(separator: " ")
  }

  private var lanes: [String] {
    let all = options.sort(LaneSummary.lanes(of: figures))
    let shown = all.prefix(options.maxCount(40))
    let states = Lifecycle.State.allCases
    let titles =
      ["Started"] + states.map { "\($0)".capitalizedFirst } + ["Elements", "Median", "Longest"]
    let table = MarkdownTable(
      columns: [.init(title: "Lane")] + titles.map { .init(title: $0, isFigure: true) },
      rows: (shown + (all.count > 1 ? [LaneSummary.total(of: figures, name: "total")] : [])).map {
        lane in
        [Escaping.markdownCell(lane.lane), figure(lane.started)] + states.map { figure(lane[$0]) }
          + [
            figure(lane.elements), lane.lives.map { page.duration($0.median) } ?? "",
            lane.lives.map { page.duration($0.longest) } ?? "",
          ]
      })
    let rest = all.count - shown.count
    let more = rest > 0 ? ["", "and \(CountText.make(rest, "more lane"))"] : []
    let caption =
      ExcerptView(excerpt, verdict).caption(page).map { [Escaping.markdownCell($0), ""] } ?? []
    return ["## Lanes", ""] + caption + table.lines + more + [""]
  }

  private func figure(_ count: Int) -> String {
    count == 0 ? "" : CountText.number(count)
  }

  private var picture: [String] {
    let lines = timeline.lines(page).map { $0.render(color: false, setsColumn: false) }
    let fence = MarkdownReport.fence(around: lines)
    return ["## Timeline", "", fence + "text"] + lines + [fence]
  }

  /// Returns a fence that no line can close.
  private static func fence(around lines: [String]) -> String {
    var longest = 2
    for line in lines {
      var run = 0
      for byte in line.utf8 {
        run = byte == UInt8(ascii: "`") ? run + 1 : 0
        longest = max(longest, run)
      }
    }
    return String(repeating: "`", count: longest + 1)
  }
}

extension String {
  fileprivate var capitalizedFirst: String {
    prefix(1).uppercased() + dropFirst()
  }
}

/// A Markdown table in the syntax of GitHub and GitLab.
struct MarkdownTable {
  struct Column {
    let title: String
    var isFigure = false
  }

  let columns: [Column]
  /// The cells as Markdown. Text from logs is already escaped.
  let rows: [[String]]

  var lines: [String] {
    let head = Self.row(columns.map(\.title))
    let rule = Self.row(columns.map { $0.isFigure ? "---:" : "---" })
    return [head, rule] + rows.map(Self.row)
  }

  static func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }
}
