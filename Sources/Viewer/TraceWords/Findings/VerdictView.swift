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
  package let groups: [FindingGroup]
  /// The number of findings that a baseline covers.
  package let known: Int
  /// The number of stale entries in a baseline.
  package let stale: Int

  /// The exact words for a log without faults. The words for a log with known findings begin with
  /// them.
  package static let clean = "no undisposed subscriptions"
  private static let cleanObjects = "no leaked objects"

  package init(
    _ log: LogAnalysis, _ verdict: Verdict, groups: [FindingGroup]? = nil, known: Int = 0,
    stale: Int = 0
  ) {
    self.log = log
    self.verdict = verdict
    self.known = known
    self.stale = stale
    self.groups = groups ?? verdict.groups
  }

  package func lines(_ page: Page) -> [Line] {
    [line(page)]
  }

  package func line(_ page: Page) -> Line {
    let prefix = log.logs.count > 1 ? "\(CountText.make(log.logs.count, "log")): " : ""
    let proven = Tally(groups, isProven: true, in: log)
    var leak = proven.leaks > 0 ? [VerdictView.leaks(proven.leaks, inCycles: proven.cycles)] : []
    if proven.objectCycles > 0 {
      leak.append(CountText.make(proven.objectCycles, "retain cycle") + " of objects")
    }
    let isGrave = proven.isGrave
    let found = VerdictView.words("finding", proven.count, leak + proven.others)
    if verdict.doubts.allSatisfy(\.isEmpty) {
      let words =
        (leak.isEmpty && (proven.isEmpty || hasSubscriptions) ? [clean(page)] : []) + found
      let style = Style(color: proven.isEmpty && stale == 0 ? .green : .yellow)
      return Line(
        prefix + words.joined(separator: "; ") + staleEntries,
        isGrave ? Glyphs.suspectStyle : style)
    }
    // Proven findings come first, doubts after them.
    let unproven = Tally(groups, isProven: false, in: log)
    let still =
      unproven.leaks > 0
      ? ["\(CountText.make(unproven.leaks, "subscription")) still active when the log stops"] : []
    let suspicions = VerdictView.words("unproven finding", unproven.count, still + unproven.others)
    return Line(
      prefix + (found + ["inconclusive: " + doubts(page)] + suspicions).joined(separator: "; ")
        + staleEntries, isGrave ? Glyphs.suspectStyle : Style(color: .yellow))
  }

  /// Returns the number of findings and what they are about; an empty array if the number is 0.
  private static func words(_ word: String, _ count: Int, _ kinds: [String]) -> [String] {
    guard count > 0 else { return [] }
    let list = kinds.joined(separator: ", ")
    return [CountText.make(count, word) + (list.isEmpty ? "" : ": \(list)")]
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
  private func clean(_ page: Page) -> String {
    if !log.logs.isEmpty, log.logs.allSatisfy({ $0.inspection != nil }) {
      let causes = log.logs.flatMap { one in
        one.inspection?.hangs.map { HangWords.sentence($0, in: one, isHang: false) } ?? []
      }
      return causes.isEmpty
        ? "no probable cause of a hang" : page.safe(causes.joined(separator: " "))
    }
    let searched = log.logs.count { $0.searched != nil }
    if searched == log.logs.count, searched > 0 {
      return VerdictView.cleanObjects + (known > 0 ? " except known ones" : "")
    }
    guard verdict.rules.contains("undisposed") else {
      return groups.isEmpty ? "no findings; undisposed is off" : "undisposed is off"
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

  private var staleEntries: String {
    stale == 0
      ? "" : ", " + CountText.make(stale, "stale baseline entry", "stale baseline entries")
  }

  /// The numbers of findings, and of subscriptions that leak.
  private struct Tally {
    private var counts: [String: Int] = [:]
    private(set) var cycles = 0
    private(set) var leaks = 0
    /// The findings about retain cycles of objects that aren't subscriptions.
    private(set) var objectCycles = 0
    private(set) var isGrave = false
    private(set) var count = 0
    var isEmpty: Bool { count == 0 }

    init(_ groups: [FindingGroup], isProven: Bool, in log: LogAnalysis) {
      for group in groups where group.isProven == isProven {
        count += 1
        if group.level == .error { isGrave = true }
        guard let first = group.findings.first else { continue }
        if log.lifecycles[first.lifecycle].isObject {
          if group.isCycle { objectCycles += 1 } else { counts[first.rule, default: 0] += 1 }
        } else if group.isCycle || first.rule == "undisposed" {
          leaks += group.findings.count
          cycles += group.findings.count(where: \.isCycle)
        } else {
          counts[first.rule, default: 0] += 1
        }
      }
    }

    /// The rules that found something other than leaks, each with the number of its findings.
    var others: [String] {
      RuleBook.rules.compactMap { rule in
        counts[rule.id].map { "\(CountText.number($0)) \(rule.id)" }
      }
    }
  }
}
