import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A finding as Markdown, for an issue or a chat: the rule and its sentence, the lane, the places,
/// what keeps the subscriptions alive, and what to do.
struct FindingMarkdown {
  private let log: LogAnalysis
  private let page: Page
  private let words: FindingWords

  /// The maximum numbers of subscriptions and of steps.
  private static let maxNames = 20
  private static let maxSteps = 40

  init(log: LogAnalysis, page: Page) {
    self.log = log
    self.page = page.unbounded
    words = FindingWords(log: log, page: page.unbounded)
  }

  func text(_ group: FindingGroup) -> String {
    guard let first = group.findings.first else { return "" }
    let lines = [head(group), ""] + facts(group, first) + path(first)
    return lines.map { $0 + "\n" }.joined()
  }

  private func head(_ group: FindingGroup) -> String {
    let rule = "\(group.severity.rawValue)\\[\(group.fingerprint.rule)\\]"
    let sentence = Escaping.markdownCell(words.message(of: group))
    return "**\(rule)** \(code(group.id.description)): \(sentence)"
  }

  private func facts(_ group: FindingGroup, _ first: Finding) -> [String] {
    let isObject = log.lifecycles[first.lifecycle].isObject
    let members = group.findings.flatMap(\.members)
    let names = members.prefix(Self.maxNames).map { index in
      let lifecycle = log.lifecycles[index]
      return code(isObject ? log.logs[Int(lifecycle.log)].title : log.name(of: lifecycle))
    }
    let rest = members.count - names.count
    let more = rest > 0 ? " and \(CountText.number(rest)) more" : ""
    var facts: [(title: String, text: String)] = [
      (
        isObject ? "Object" : "Lane",
        "\(code(group.site.lane)), \(names.joined(separator: " "))\(more)"
      )
    ]
    let made = [group.site.source, group.site.function].compactMap(\.self).map(code)
    if !made.isEmpty { facts.append(("Made at", made.joined(separator: " in "))) }
    let observed = [group.observed?.source, group.observed?.function].compactMap(\.self).map(code)
    if !observed.isEmpty { facts.append(("Observed at", observed.joined(separator: " in "))) }
    facts += words.origins(of: group).map { ("Origin", Escaping.markdownCell($0)) }
    if let cause = words.cause(of: first) {
      facts.append(("Cause", Escaping.markdownCell(cause)))
    }
    if !first.advice.isEmpty { facts.append(("What to do", Escaping.markdownCell(first.advice))) }
    return facts.map { "- \($0.title): \($0.text)" }
      + words.objects(of: first).map { "- \(Escaping.markdownCell($0))" }
  }

  /// Returns what keeps the subscription alive, as a numbered list. Each step retains the next one.
  private func path(_ first: Finding) -> [String] {
    guard let retention = first.retention else { return [] }
    let sentences = words.sentences(retention, of: first)
    let lead = words.lead(retention).map { ["\($0):"] } ?? []
    let text = (sentences + lead).map { Escaping.markdownCell($0) }.joined(separator: " ")
    let number = Int(log.lifecycles[first.lifecycle].log)
    let steps = retention.steps.prefix(Self.maxSteps).enumerated().map { index, step in
      let texts = [
        words.name(of: step), words.detail(of: step, log: number), step.site ?? "",
        index == retention.breakIndex ? words.mark(retention) : "",
      ].filter { !$0.isEmpty }
      return "\(index + 1). \(Escaping.markdownCell(texts.joined(separator: "  ")))"
    }
    let rest = retention.steps.count - steps.count
    let more = rest > 0 ? ["", "and \(CountText.make(rest, "more step"))"] : []
    return (text.isEmpty ? [] : ["", text]) + (steps.isEmpty ? [] : [""] + steps + more)
  }

  /// Returns text between backticks, where nothing is escaped.
  private func code(_ text: String) -> String {
    "`" + Escaping.replace(in: page.safe(text)) { $0 == "`" ? "'" : nil } + "`"
  }
}
