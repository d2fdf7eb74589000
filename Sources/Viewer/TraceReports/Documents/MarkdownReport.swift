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
    let table = MarkdownTable(
      columns: [
        .init(title: "Finding"), .init(title: "Id"),
        .init(title: isOnlyObjects ? "Object" : "Lane"),
        .init(title: "Where"), .init(title: "What"),
        .init(title: isOnlyObjects ? "Process" : "Subscriptions"),
      ],
      rows: order.prefix(MarkdownReport.maxFindings).map(row))
    let rest = order.count - MarkdownReport.maxFindings
    let more = rest > 0 ? ["", "and \(CountText.make(rest, "more finding"))"] : []
    return ["## Findings", ""] + table.lines + more + [""]
      + order.prefix(MarkdownReport.maxPaths).flatMap(path)
  }

  /// Returns what keeps the subscriptions of a group alive, as a list. Each step retains the next
  /// one.
  private func path(_ group: FindingGroup) -> [String] {
    guard let first = group.findings.first else { return [] }
    let words = FindingWords(log: log, page: page.unbounded)
    let lane = Escaping.markdownCell(group.site.lane)
    let objects = words.objects(of: first).map { "- \(Escaping.markdownCell($0))" }
    guard let retention = first.retention else {
      return objects.isEmpty ? [] : ["What leaks with \(lane):", ""] + objects + [""]
    }
    let sentences = words.sentences(retention, of: first).map { Escaping.markdownCell($0) }
    guard !retention.steps.isEmpty || !sentences.isEmpty else { return [] }
    let lead = words.lead(retention).map { ["\($0):"] } ?? []
    let lines = ["What keeps \(lane) alive: \((sentences + lead).joined(separator: " "))", ""]
    let number = Int(log.lifecycles[first.lifecycle].log)
    var steps: [String] = []
    for part in RetentionView.shown(of: retention) {
      guard case .step(let index) = part else {
        if case .omitted(let range) = part {
          steps.append("- ... \(CountText.make(range.count, "more step"))")
        }
        continue
      }
      let step = retention.steps[index]
      let texts = [
        words.name(of: step), words.detail(of: step, log: number),
        index == retention.breakIndex ? words.mark(retention) : "",
      ]
      let text = texts.filter { !$0.isEmpty }.joined(separator: "  ")
      steps.append("- \(Escaping.markdownCell(text))")
    }
    steps += objects
    return lines + (steps.isEmpty ? [] : steps + [""])
  }

  private func row(_ group: FindingGroup) -> [String] {
    let word = group.severity.rawValue
    let words = FindingWords(log: log, page: page.unbounded)
    let lane = [group.site.source, group.site.function].compactMap { $0 }
    let observed = [group.observed?.source, group.observed?.function].compactMap { $0 }
    let location = (observed.isEmpty ? lane : ["observed at"] + observed)
      .map { Escaping.markdownCell($0) }.joined(separator: " ")
    let what =
      ([words.message(of: group)] + words.origins(of: group) + [
        group.findings.first?.advice ?? ""
      ]).filter { !$0.isEmpty }.map { Escaping.markdownCell($0) }
    let names = group.findings.flatMap(\.members).map { index in
      let lifecycle = log.lifecycles[index]
      return lifecycle.isObject ? log.logs[Int(lifecycle.log)].title : log.name(of: lifecycle)
    }
    return [
      "\(word): \(group.fingerprint.rule)", group.id.description,
      Escaping.markdownCell(group.site.lane), location,
      what.joined(separator: "<br>"),
      // Backticks keep services from linking the number of a subscription to an issue.
      listed(names.prefix(5).map { "`\(name($0))`" }, of: names.count, separator: " "),
    ]
  }

  /// Returns text for use between backticks, where nothing is escaped.
  private func name(_ text: String) -> String {
    Escaping.replace(in: page.safe(text)) { $0 == "`" || $0 == "|" ? "'" : nil }
  }

  private func listed(_ texts: [String], of count: Int, separator: String) -> String {
    let rest = count - texts.count
    return texts.joined(separator: separator)
      + (rest > 0 ? "\(separator)and \(CountText.number(rest)) more" : "")
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
