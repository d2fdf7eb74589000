package import TerminalUI
package import TraceAnalysis
import TraceFormat
package import ViewerConsole

/// A sentence about what the logs prove. It is never broken into lines, because scripts search for
/// its words.
package struct VerdictView {
  package let log: LogAnalysis
  package let verdict: Verdict
  /// The findings that count: all except those that a baseline covers.
  package let findings: [Finding]
  /// The number of findings that a baseline covers.
  package let known: Int
  /// The number of stale entries in a baseline.
  package let stale: Int

  /// The exact words for a log without faults. The words for a log with known findings begin with
  /// them.
  package static let clean = "no undisposed subscriptions"

  package init(
    _ log: LogAnalysis, _ verdict: Verdict, findings: [Finding]? = nil, known: Int = 0,
    stale: Int = 0
  ) {
    self.log = log
    self.verdict = verdict
    self.known = known
    self.stale = stale
    self.findings = findings ?? verdict.findings
  }

  package func lines(_ page: Page) -> [Line] {
    [line(page)]
  }

  package func line(_ page: Page) -> Line {
    let prefix = log.logs.count > 1 ? "\(CountText.make(log.logs.count, "log")): " : ""
    let proven = Tally(findings.lazy.filter(\.isProven))
    let others = proven.others + staleEntries
    let leak = proven.leaks > 0 ? [VerdictView.leaks(proven.leaks, inCycles: proven.cycles)] : []
    let isGrave = proven.isGrave
    if verdict.doubts.allSatisfy(\.isEmpty) {
      let words = (proven.leaks > 0 ? leak : [clean]) + others
      let style = Style(color: proven.isEmpty && stale == 0 ? .green : .yellow)
      return Line(
        prefix + words.joined(separator: ", "), isGrave ? Glyphs.suspectStyle : style)
    }
    // Proven findings come first, doubts after them.
    let active = Tally(findings.lazy.filter { !$0.isProven }).leaks
    let still =
      active > 0
      ? ["\(CountText.make(active, "subscription")) still active when the log stops"] : []
    let words = [(leak + others).joined(separator: ", ")].filter { !$0.isEmpty }
    return Line(
      prefix + (words + ["inconclusive: " + doubts(page)] + still).joined(separator: "; "),
      isGrave ? Glyphs.suspectStyle : Style(color: .yellow))
  }

  private static func leaks(_ count: Int, inCycles cycles: Int) -> String {
    let words = CountText.make(count, "undisposed subscription")
    guard cycles > 0 else { return words }
    return "\(words) (\(cycles == count ? "" : "\(CountText.number(cycles)) ")in a retain cycle)"
  }

  /// The words for logs without faults, according to the enabled rules.
  private var clean: String {
    guard verdict.rules.contains("undisposed") else {
      return findings.isEmpty ? "no findings; undisposed is off" : "undisposed is off"
    }
    return VerdictView.clean + (known > 0 ? " except known ones" : "")
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

  /// The numbers of findings of each kind, counted in one pass.
  private struct Tally {
    private var counts: [String: Int] = [:]
    private(set) var cycles = 0
    private(set) var leaks = 0
    private(set) var isGrave = false
    var isEmpty: Bool { leaks == 0 && counts.isEmpty }

    init(_ findings: some Sequence<Finding>) {
      for finding in findings {
        if finding.level == .error { isGrave = true }
        if finding.isCycle { cycles += 1 }
        if finding.isCycle || finding.rule == "undisposed" {
          leaks += 1
        } else {
          counts[finding.rule, default: 0] += 1
        }
      }
    }

    /// The rules that found something other than leaks, each with its count.
    var others: [String] {
      RuleBook.rules.compactMap { rule in
        counts[rule.id].map { "\(CountText.number($0)) \(rule.id)" }
      }
    }
  }
}
