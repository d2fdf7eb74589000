import TestSupport
import Testing
import TraceFormat

@testable import TraceAnalysis

@Suite("Baseline")
struct BaselineTests {
  /// Returns a log with an undisposed subscription in each of these lanes, in order.
  private func log(_ lanes: [String], end: Bool = true) throws -> (LogAnalysis, Verdict) {
    let lines = lanes.enumerated().map { SampleLog.subscribe($0 + 1, $1, at: 100 * ($0 + 1)) }
    var text = SampleLog.make(lines)
    if !end { text = text.split(separator: "\n").dropLast().map { $0 + "\n" }.joined() }
    let log = try analyze(text)
    var settings = RuleSettings()
    for rule in RuleBook.rules where rule.id != "undisposed" { settings.levels[rule.id] = .off }
    return (log, Verdict(log, settings))
  }

  private func fingerprint(_ lane: String) -> Fingerprint {
    Fingerprint(rule: "undisposed", lane: lane, file: "App/Model.swift", function: "bind()")
  }

  private func entry(_ lane: String, _ count: Int, _ reason: String = "") -> Baseline.Entry {
    Baseline.Entry(fingerprint(lane), count: count, reason: reason)
  }

  @Test("A baseline covers the oldest findings, so the newest ones are reported as new")
  func covering() throws {
    let (log, verdict) = try log(["a", "b", "a", "a"])
    let comparison = Baseline([entry("a", 2), entry("b", 1)])
      .compare(verdict.findings, in: log, isWhole: true)
    #expect(comparison.findings.map(\.lifecycle) == [3])
    #expect(comparison.known == 3)
    #expect(comparison.stale.isEmpty)
  }

  @Test("A baseline doesn't cover findings of another rule, lane, file or function")
  func others() throws {
    let (log, verdict) = try log(["a"])
    let near = [
      Fingerprint(rule: "silent", lane: "a", file: "App/Model.swift", function: "bind()"),
      Fingerprint(rule: "undisposed", lane: "A", file: "App/Model.swift", function: "bind()"),
      Fingerprint(rule: "undisposed", lane: "a", file: "App/Model.swift:42", function: "bind()"),
      Fingerprint(rule: "undisposed", lane: "a", file: "App/Model.swift", function: ""),
    ]
    let baseline = Baseline(near.map { Baseline.Entry($0, count: 5) })
    let comparison = baseline.compare(verdict.findings, in: log, isWhole: true)
    #expect(comparison.findings.count == 1)
    #expect(comparison.known == 0)
    #expect(comparison.stale.map(\.found) == [0, 0, 0, 0])
  }

  @Test("An entry for leaked objects covers any number of them, and none at all")
  func objects() throws {
    let object =
      #"{"t":0,"event":"object","sub":1,"lane":"Cart","source":"M/Cart.swift:4","type":"M.Cart","#
      + #""count":1,"members":[]}"#
    let retained = #"{"t":0,"event":"retained","sub":1,"lane":"Cart","kind":"none"}"#
    let log = try analyze(
      SampleLog.make(
        [1, 2].flatMap { id in
          [object, retained].map { $0.replacing(#""sub":1"#, with: #""sub":\#(id)"#) }
        }))
    let verdict = Verdict(log)
    #expect(verdict.findings.map(\.rule) == ["unreachable", "unreachable"])
    let found = Baseline.Entry(Fingerprint(verdict.findings[0], in: log), count: 1)
    let gone = Baseline.Entry(
      Fingerprint(rule: "retain-cycle", lane: "Order", file: "M/Order.swift", function: ""),
      count: 1)
    let comparison = Baseline([found, gone]).compare(verdict.findings, in: log, isWhole: true)
    #expect(comparison.findings.isEmpty && comparison.known == 2)
    #expect(comparison.stale.isEmpty && comparison.settled.isEmpty)
    // The next run can find what this one has overlooked.
    let accepted = Baseline([gone]).accepting(verdict.findings, in: log, isWhole: true)
    #expect(accepted.entries.map(\.count).sorted() == [1, 2] && accepted.entries.contains(gone))
  }

  @Test("An entry for objects on a cycle also covers the cycle if it is only probable")
  func probableCycles() throws {
    let reference = LeakedObjects.reference(property: "Cart.owner")
    let object =
      #"{"t":0,"event":"object","sub":1,"lane":"Cart","source":"M/Cart.swift:4","#
      + #""function":"\#(reference)","type":"M.Cart","count":1,"members":[]}"#
    let steps = #""steps":[{"kind":"field","type":"Cart","name":"owner","holds":"Cart"}]"#
    let rules = ["certain", "probable"]
    let findings = try rules.map { proof in
      let retained =
        #"{"t":0,"event":"retained","sub":1,"lane":"Cart","kind":"cycle","proof":"\#(proof)","#
        + #""break":0,\#(steps)}"#
      let log = try analyze(SampleLog.make([object, retained]))
      return (log: log, finding: try #require(Verdict(log).findings.first))
    }
    #expect(findings.map(\.finding.rule) == ["retain-cycle", "unreachable"])
    for (first, second) in [(findings[0], findings[1]), (findings[1], findings[0])] {
      let entry = Baseline.Entry(Fingerprint(first.finding, in: first.log), count: 1)
      let comparison = Baseline([entry]).compare([second.finding], in: second.log, isWhole: true)
      #expect(comparison.findings.isEmpty && comparison.stale.isEmpty)
      let accepted = Baseline([entry]).accepting([second.finding], in: second.log, isWhole: true)
      #expect(accepted.entries.map(\.fingerprint.leak) == [entry.fingerprint.leak])
    }
  }

  @Test("A baseline entry is stale if it covers more findings than there are")
  func stale() throws {
    let (log, verdict) = try log(["a"])
    let baseline = Baseline([entry("gone", 1), entry("a", 3)])
    let stale = baseline.compare(verdict.findings, in: log, isWhole: true).stale
    #expect(stale.map(\.entry.fingerprint.lane) == ["a", "gone"])
    #expect(stale.map(\.found) == [1, 0])
    #expect(baseline.pruned(of: stale) == Baseline([entry("a", 1)]))
  }

  @Test("An incomplete log doesn't make entries stale, and entries cover unproven findings")
  func incomplete() throws {
    let (log, verdict) = try log(["a", "b"], end: false)
    let baseline = Baseline([entry("gone", 1), entry("a", 3)])
    let comparison = baseline.compare(verdict.findings, in: log, isWhole: verdict.isWhole)
    #expect(comparison.stale.isEmpty)
    #expect(comparison.findings.map(\.lifecycle) == [1])
    #expect(comparison.known == 1)
  }

  @Test("Accepting findings adds new entries, keeps reasons and drops entries without findings")
  func accepting() throws {
    let (log, verdict) = try log(["a", "b", "a"])
    let old = Baseline([entry("a", 9, "since 2019"), entry("gone", 1, "no more")])
    #expect(
      old.accepting(verdict.findings, in: log, isWhole: true)
        == Baseline([entry("a", 2, "since 2019"), entry("b", 1)]))
    #expect(
      old.accepting(verdict.findings, in: log, isWhole: false)
        == Baseline([entry("a", 9, "since 2019"), entry("b", 1), entry("gone", 1, "no more")]))
  }

  @Test("Pruning never enlarges a baseline")
  func pruning() throws {
    let (log, verdict) = try log(["a", "a", "b"])
    let baseline = Baseline([entry("a", 1)])
    let stale = baseline.compare(verdict.findings, in: log, isWhole: true).stale
    #expect(baseline.pruned(of: stale) == baseline)
  }

  @Test("A baseline is sorted and has one entry per place")
  func order() {
    let baseline = Baseline([entry("b", 1), entry("a", 2), entry("b", 7)])
    #expect(baseline.entries == [entry("a", 2), entry("b", 1)])
  }
}
