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
  private static let cleanObjects = "no leaked objects"

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
    let proven = Tally(findings.lazy.filter(\.isProven), in: log)
    let others = proven.others + staleEntries
    var leak = proven.leaks > 0 ? [VerdictView.leaks(proven.leaks, inCycles: proven.cycles)] : []
    if proven.objectCycles > 0 {
      leak.append(CountText.make(proven.objectCycles, "retain cycle") + " of objects")
    }
    let isGrave = proven.isGrave
    if verdict.doubts.allSatisfy(\.isEmpty) {
      let words = (leak.isEmpty && (proven.isEmpty || hasSubscriptions) ? [clean] : leak) + others
      let style = Style(color: proven.isEmpty && stale == 0 ? .green : .yellow)
      return Line(
        prefix + words.joined(separator: ", "), isGrave ? Glyphs.suspectStyle : style)
    }
    // Proven findings come first, doubts after them.
    let active = Tally(findings.lazy.filter { !$0.isProven }, in: log).leaks
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

  /// A Boolean value that indicates whether one of the logs is that of a program.
  private var hasSubscriptions: Bool { log.logs.contains { $0.searched == nil } }

  private var hasObjects: Bool { log.logs.contains { !$0.objects.isEmpty } }

  /// The words for logs without faults, according to the enabled rules.
  private var clean: String {
    let searched = log.logs.count { $0.searched != nil }
    if searched == log.logs.count, searched > 0 {
      return VerdictView.cleanObjects + (known > 0 ? " except known ones" : "")
    }
    guard verdict.rules.contains("undisposed") else {
      return findings.isEmpty ? "no findings; undisposed is off" : "undisposed is off"
    }
    let objects = searched > 0 && !hasObjects ? ", \(VerdictView.cleanObjects)" : ""
    return VerdictView.clean + objects + (known > 0 ? " except known ones" : "")
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
    /// The findings about retain cycles of objects that aren't subscriptions.
    private(set) var objectCycles = 0
    private(set) var isGrave = false
    var isEmpty: Bool { leaks == 0 && objectCycles == 0 && counts.isEmpty }

    init(_ findings: some Sequence<Finding>, in log: LogAnalysis) {
      for finding in findings {
        if finding.level == .error { isGrave = true }
        if log.lifecycles[finding.lifecycle].isObject {
          if finding.isCycle { objectCycles += 1 } else { counts[finding.rule, default: 0] += 1 }
          continue
        }
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
