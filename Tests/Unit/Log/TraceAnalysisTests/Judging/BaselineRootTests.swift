import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

/// Tests of baselines from versions that counted consequences as findings and didn't detect retain
/// cycles.
@Suite("Baselines and roots")
struct BaselineRootTests {
  /// Returns a root with two consequences and, if requested, its retain cycle.
  private func log(cycle: Bool = false, _ more: [String] = []) throws -> (LogAnalysis, [Finding]) {
    let lines = [
      SampleLog.subscribe(1, "root", at: 1),
      SampleLog.subscribe(2, "query", at: 2, #","parent":1"#),
      SampleLog.subscribe(3, "query", at: 3, #","parent":2"#),
    ]
    let record = RetainedLog.retained(1, at: 50, path: ["a"])
    let log = try analyze(SampleLog.make(lines + more + (cycle ? [record] : [])))
    return (log, Verdict(log).findings.filter { $0.rule != "growth" })
  }

  private func entry(
    _ lane: String, _ count: Int, rule: String = "undisposed", _ reason: String = ""
  ) -> Baseline.Entry {
    let fingerprint = Fingerprint(
      rule: rule, lane: lane, file: "App/Model.swift", function: "bind()")
    return Baseline.Entry(fingerprint, count: count, reason: reason)
  }

  @Test("Entries for consequences of a leak don't fail a run, and pruning removes them")
  func consequences() throws {
    let old = Baseline([entry("root", 1, "known"), entry("query", 2), entry("gone", 1)])
    for cycle in [false, true] {
      let (log, findings) = try log(cycle: cycle)
      let comparison = old.compare(findings, in: log, isWhole: true)
      #expect(comparison.findings.isEmpty)
      #expect(comparison.known == 1)
      #expect(comparison.stale.map(\.entry.fingerprint.lane) == ["gone"])
      #expect(comparison.settled.map(\.entry.fingerprint.lane) == ["query"])
      #expect(
        old.pruned(of: comparison.stale + comparison.settled).entries == [entry("root", 1, "known")]
      )
      let rule = cycle ? "retain-cycle" : "undisposed"
      #expect(
        old.accepting(findings, in: log, isWhole: true).entries
          == [entry("root", 1, rule: rule, "known")])
    }
    // Without the root, the entries are stale.
    let clean = try analyze(SampleLog.clean)
    #expect(old.compare([], in: clean, isWhole: true).stale.count == 3)
  }

  @Test(
    "A known leak stays known whether or not its retain cycle is found",
    arguments: [false, true])
  func cycles(cycle: Bool) throws {
    let (log, findings) = try log(cycle: cycle, [SampleLog.subscribe(9, "root", at: 9)])
    for rule in ["undisposed", "retain-cycle"] {
      let comparison = Baseline([entry("root", 2, rule: rule)])
        .compare(findings, in: log, isWhole: true)
      #expect(comparison.findings.isEmpty && comparison.stale.isEmpty)
      #expect(comparison.known == 2)
      let more = Baseline([entry("root", 3, rule: rule)])
        .compare(findings, in: log, isWhole: true)
      #expect(more.stale.map(\.found) == [2])
      let fewer = Baseline([entry("root", 1, rule: rule)])
        .compare(findings, in: log, isWhole: true)
      #expect(fewer.findings.count == 1 && fewer.known == 1)
    }
    // If there are two entries for one leak, the entry of the other rule covers the remaining
    // finding.
    let both = Baseline([entry("root", 1), entry("root", 2, rule: "retain-cycle")])
      .compare(findings, in: log, isWhole: true)
    #expect(both.known == 2)
    #expect(both.stale.map(\.found) == [1])
    let other = Baseline([entry("root", 2, rule: "silent")])
      .compare(findings, in: log, isWhole: true)
    #expect(other.findings.count == 2)
  }

  @Test(
    "A known leak stays known if another rule reports it, and an entry for a repetition is settled")
  func rules() throws {
    let text = SampleLog.make(
      scope(1, "screen", 1, 40) + [SampleLog.subscribe(1, "root", at: 2, #","scope":1"#)])
    let known = Baseline([entry("root", 1), entry("root", 1, rule: "scope-leak")])
    let log = try analyze(text)
    let verdict = Verdict(log)
    let comparison = known.compare(
      verdict.findings, repetitions: verdict.repetitions, in: log, isWhole: true)
    #expect(comparison.findings.isEmpty && comparison.stale.isEmpty)
    #expect(comparison.settled.map(\.entry.fingerprint.rule) == ["scope-leak"])
    // The log of a killed process proves only the scope leak.
    let killed = try analyze(text.split(separator: "\n").dropLast().map { $0 + "\n" }.joined())
    let findings = Verdict(killed).findings
    #expect(findings.map(\.rule) == ["scope-leak"])
    let later = Baseline([entry("root", 1)]).compare(findings, in: killed, isWhole: false)
    #expect(later.findings.isEmpty)
  }

  @Test("A leak is the same in two runs whether or not its retain cycle was found")
  func comparison() throws {
    let (before, _) = try log()
    let (after, _) = try log(cycle: true)
    let same = LogComparison(old: (before, Verdict(before)), new: (after, Verdict(after)))
    #expect(same.isSame)
    let (more, _) = try log(cycle: true, [SampleLog.subscribe(9, "root", at: 9)])
    let added = LogComparison(old: (before, Verdict(before)), new: (more, Verdict(more)))
    #expect(added.changes.map { "\($0.old) \($0.new)" } == ["1 2"])
    #expect(added.added.map { more.lifecycles[$0.lifecycle].id.number } == [9])
  }

  @Test("An incomplete log neither lowers an entry nor covers a leak twice")
  func incomplete() throws {
    let (log, findings) = try log(cycle: true)
    #expect(
      Baseline([entry("root", 1, "why"), entry("query", 2)])
        .accepting(findings, in: log, isWhole: false).entries
        == [entry("root", 1, rule: "retain-cycle", "why"), entry("query", 2)]
        .sorted { $0.fingerprint < $1.fingerprint })
    #expect(
      Baseline([entry("root", 3)]).accepting(findings, in: log, isWhole: false).entries.map(\.count)
        == [1, 2])
  }
}
