package import TraceAnalysis
import TraceFormat
package import ViewerConsole

/// Findings as Markdown: for an issue or a chat, and for the tables and lists of reports.
package struct FindingMarkdown {
  private let log: LogAnalysis
  private let page: Page
  private let words: FindingWords

  /// The maximum number of columns of names, places and steps.
  private static let maxColumns = 160

  package init(log: LogAnalysis, page: Page) {
    self.log = log
    self.page = page.unbounded
    words = FindingWords(log: log, page: page.unbounded)
  }

  // MARK: Tables

  /// The titles of the columns of `cells`.
  package static func titles(isOnlyObjects: Bool) -> [String] {
    ["Finding", "Id", isOnlyObjects ? "Object" : "Lane", "Where", "What"]
  }

  /// Returns a row of a table.
  ///
  /// - Parameters:
  ///   - place: The place of the finding.
  ///   - severity: The severity; nil for that of the group.
  ///   - doubt: The reason why the finding isn't proven, or nothing.
  package func cells(
    _ group: FindingGroup, place: String, severity: Severity? = nil, doubt: String = ""
  ) -> [String] {
    let what =
      [words.message(of: group) + doubt] + words.origins(of: group)
      + [group.findings.first?.advice ?? ""]
    let cells = [
      "\((severity ?? group.severity).rawValue): \(group.fingerprint.rule)", group.id.description,
      words.lanes(of: group), place,
    ]
    return cells.map(short) + [what.filter { !$0.isEmpty }.map(cell).joined(separator: "<br>")]
  }

  // MARK: Text

  /// Returns the rule and its sentence, the lane, the places, what to do, and what keeps the
  /// subscriptions alive.
  package func text(_ group: FindingGroup) -> String {
    guard let first = group.findings.first else { return "" }
    let rule = "\(group.severity.rawValue)\\[\(group.fingerprint.rule)\\]"
    let head = "**\(rule)** \(code(group.id.description)): \(cell(words.message(of: group)))"
    let path = path(group).dropLast()
    let lines = [head, ""] + facts(group, first) + (path.isEmpty ? [] : [""] + path)
    return lines.map { $0 + "\n" }.joined()
  }

  private func facts(_ group: FindingGroup, _ first: Finding) -> [String] {
    let isObject = log.lifecycles[first.lifecycle].isObject
    var facts: [(title: String, text: String)] = [
      (
        isObject ? "Object" : "Lane",
        "\(code(words.lanes(of: group))), \(names(of: group, max: 20))"
      )
    ]
    for (title, place) in [
      ("Made at", [group.site.source, group.site.function]),
      ("Observed at", [group.observed?.source, group.observed?.function]),
    ] {
      let texts = place.compactMap(\.self).map(code)
      if !texts.isEmpty { facts.append((title, texts.joined(separator: " in "))) }
    }
    facts += words.origins(of: group).map { ("Origin", cell($0)) }
    if let cause = words.cause(of: first) { facts.append(("Cause", cell(cause))) }
    if !first.advice.isEmpty { facts.append(("What to do", cell(first.advice))) }
    return facts.map { "- \($0.title): \($0.text)" }
  }

  /// Returns the numbers of the subscriptions, or the process of objects.
  package func names(of group: FindingGroup, max: Int) -> String {
    let members = group.findings.flatMap(\.members)
    let names = members.prefix(max).map { index in
      let lifecycle = log.lifecycles[index]
      return code(lifecycle.isObject ? log.logs[Int(lifecycle.log)].title : log.name(of: lifecycle))
    }
    let rest = members.count - names.count
    return names.joined(separator: " ") + (rest > 0 ? " and \(CountText.number(rest)) more" : "")
  }

  // MARK: Lists

  /// Returns what keeps the subscriptions of a group alive, as a list with an empty line at its
  /// end. Each step retains the next one. Empty if nothing is known.
  package func path(_ group: FindingGroup) -> [String] {
    guard let first = group.findings.first else { return [] }
    let lane = short(words.lanes(of: group))
    let objects = words.objects(of: first).map { "- \(cell($0))" }
    let sentences = first.retention.map { words.sentences($0, of: first) } ?? []
    guard let retention = first.retention, !retention.steps.isEmpty || !sentences.isEmpty else {
      return objects.isEmpty ? [] : ["What leaks with \(lane):", ""] + objects + [""]
    }
    let lead = words.lead(retention).map { ["\($0):"] } ?? []
    let reason = (sentences + lead).map(cell).joined(separator: " ")
    let number = Int(log.lifecycles[first.lifecycle].log)
    let steps = FindingWords.shownSteps(of: retention).map { part in
      switch part {
      case .omitted(let range): "- ... \(CountText.make(range.count, "more step"))"
      case .step(let index): "- \(step(index, of: retention, log: number))"
      }
    }
    let list = steps + objects
    return ["What keeps \(lane) alive: \(reason)", ""] + (list.isEmpty ? [] : list + [""])
  }

  private func step(_ index: Int, of retention: Retention, log number: Int) -> String {
    let step = retention.steps[index]
    return [
      words.name(of: step), words.detail(of: step, log: number), step.site ?? "",
      index == retention.breakIndex ? words.mark(retention) : "",
    ].filter { !$0.isEmpty }.map(short).joined(separator: "  ")
  }

  // MARK: Escaping

  private func cell(_ text: String) -> String { Escaping.markdownCell(text) }

  private func short(_ text: String) -> String {
    cell(page.cutMiddle(page.safe(text), to: Self.maxColumns))
  }

  /// Returns text between backticks, where nothing is escaped. They keep services from linking the
  /// number of a subscription to an issue.
  private func code(_ text: String) -> String {
    "`" + Escaping.replace(in: page.safe(text)) { $0 == "`" || $0 == "|" ? "'" : nil } + "`"
  }
}
