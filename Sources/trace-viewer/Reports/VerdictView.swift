import TerminalUI
import TraceAnalysis
import TraceFormat

/// What the logs prove, in one sentence, which is never broken into lines: scripts look for its words.
struct VerdictView {
  let log: LogAnalysis
  let verdict: Verdict
  /// Those that count; all but what a baseline knows.
  let findings: [Finding]
  /// How many findings a baseline knows.
  let known: Int
  /// How many entries of a baseline do not hold any more.
  let stale: Int

  /// The exact words for a log with nothing to find fault with; those for one with known findings begin with them.
  static let clean = "no undisposed subscriptions"

  init(
    _ log: LogAnalysis, _ verdict: Verdict, findings: [Finding]? = nil, known: Int = 0,
    stale: Int = 0
  ) {
    self.log = log
    self.verdict = verdict
    self.known = known
    self.stale = stale
    self.findings = findings ?? verdict.findings
  }

  func lines(_ page: Page) -> [Line] {
    [line(page)]
  }

  func line(_ page: Page) -> Line {
    let prefix = log.logs.count > 1 ? "\(CountText.make(log.logs.count, "log")): " : ""
    let proven = findings.filter(\.isProven)
    let leaks = proven.count { $0.rule == "undisposed" }
    let others = others(proven.filter { $0.rule != "undisposed" }) + staleEntries
    let leak = leaks > 0 ? [CountText.make(leaks, "undisposed subscription")] : []
    let isGrave = proven.contains { $0.level == .error }
    if verdict.doubts.allSatisfy(\.isEmpty) {
      let words = (leaks > 0 ? leak : [clean]) + others
      let style = Style(color: proven.isEmpty && stale == 0 ? .green : .yellow)
      return Line(
        prefix + words.joined(separator: ", "), isGrave ? Glyphs.suspectStyle : style)
    }
    // What is proven stands first, what is not known after it.
    let active = findings.count { $0.rule == "undisposed" && !$0.isProven }
    let still =
      active > 0
      ? ["\(CountText.make(active, "subscription")) still active when the log stops"] : []
    let words = [(leak + others).joined(separator: ", ")].filter { !$0.isEmpty }
    return Line(
      prefix + (words + ["inconclusive: " + doubts(page)] + still).joined(separator: "; "),
      isGrave ? Glyphs.suspectStyle : Style(color: .yellow))
  }

  /// What to say where there is nothing to find fault with, as far as anybody looked.
  private var clean: String {
    guard verdict.rules.contains("undisposed") else {
      return findings.isEmpty ? "no findings; undisposed is off" : "undisposed is off"
    }
    return VerdictView.clean + (known > 0 ? " but known ones" : "")
  }

  private func doubts(_ page: Page) -> String {
    let logs = log.logs.indices.filter { !verdict.doubts[$0].isEmpty }
    let reasons = logs.prefix(5).map { number in
      let reasons = verdict.doubts[number].map(LogSentences.doubt).joined(separator: ", and ")
      let name = log.logs[number].names.last ?? ""
      return log.logs.count > 1 ? "\(page.safe(name)): \(reasons)" : reasons
    }
    let more = logs.count > 5 ? ["and \(logs.count - 5) more logs"] : []
    return (reasons + more).joined(separator: "; ")
  }

  private var staleEntries: [String] {
    stale == 0 ? [] : [CountText.make(stale, "stale baseline entry", "stale baseline entries")]
  }

  /// The findings of other rules, a rule and its count each.
  private func others(_ findings: [Finding]) -> [String] {
    RuleBook.rules.compactMap { rule in
      let count = findings.count { $0.rule == rule.id }
      return count == 0 ? nil : "\(CountText.number(count)) \(rule.id)"
    }
  }
}
