import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Leaks and their roots")
struct RetainCycleTests {
  private func subscribe(_ id: Int, parent: Int? = nil, _ more: String = "") -> String {
    SampleLog.subscribe(id, "l\(id)", at: id, (parent.map { #","parent":\#($0)"# } ?? "") + more)
  }

  /// Returns the findings about leaks, each as its rule, its subscription and those that leak with
  /// it.
  private func leaks(_ lines: [String], hasEnd: Bool = true, _ settings: RuleSettings = .init())
    throws -> [String]
  {
    var text = SampleLog.make(lines, end: 100)
    if !hasEnd { text = text.split(separator: "\n").dropLast().map { $0 + "\n" }.joined() }
    let log = try analyze(text)
    return Verdict(log, settings).findings.filter { $0.rule != "growth" }.map { finding in
      let along = finding.consequences.map { Int(log.lifecycles[$0].id.number) }
      return "\(finding.rule) \(log.lifecycles[finding.lifecycle].id.number) \(along)"
        + (finding.isProven ? "" : " unproven")
    }
  }

  @Test("Each mistake is reported once, together with its consequences")
  func roots() throws {
    let chain = [subscribe(1), subscribe(2, parent: 1), subscribe(3, parent: 2), subscribe(4)]
    #expect(try leaks(chain) == ["undisposed 1 [2, 3]", "undisposed 4 []"])
    #expect(try leaks(chain.reversed()) == ["undisposed 1 [3, 2]", "undisposed 4 []"])
    // A disposed downstream subscription isn't a reason for a leak.
    let disposed = chain + [SampleLog.end("disposed", 1, "l1", at: 50)]
    #expect(try leaks(disposed) == ["undisposed 2 [3]", "undisposed 4 []"])
  }

  @Test("A leak with a certain cycle is a retain cycle, even in the log of a killed process")
  func cycle() throws {
    let lines = [
      subscribe(1), subscribe(2, parent: 1), subscribe(3),
      RetainedLog.retained(1, at: 50, path: ["a", "b"]),
      RetainedLog.retained(3, at: 50, kind: "none", #","reason":"time""#),
    ]
    #expect(try leaks(lines) == ["retain-cycle 1 [2]", "undisposed 3 []"])
    #expect(
      try leaks(lines, hasEnd: false) == ["retain-cycle 1 [2]", "undisposed 3 [] unproven"])
    var settings = RuleSettings()
    settings.levels["retain-cycle"] = .off
    #expect(try leaks(lines, settings) == ["undisposed 1 [2]", "undisposed 3 []"])
    settings.levels["retain-cycle"] = .warning
    #expect(try leaks(lines, settings) == ["undisposed 1 [2]", "undisposed 3 []"])
    settings.levels = ["undisposed": .off]
    #expect(try leaks(lines, settings) == ["retain-cycle 1 [2]"])
  }

  @Test("A leak whose cycle goes through an upstream subscription is a retain cycle")
  func upstream() throws {
    let lines = [
      subscribe(1), subscribe(2, parent: 1), RetainedLog.retained(2, at: 50, path: ["a"]),
      RetainedLog.retained(1, at: 50, kind: "path", path: ["global g"]),
    ]
    #expect(try leaks(lines) == ["retain-cycle 1 [2]"])
  }

  @Test(
    "An ended or process-long subscription or a probable cycle isn't reported as a retain cycle")
  func noCycle() throws {
    let record = RetainedLog.retained(1, at: 50, path: ["a"])
    #expect(try leaks([subscribe(1), record, SampleLog.end("disposed", 1, "l1", at: 60)]) == [])
    #expect(try leaks([subscribe(1, #","lifetime":"process""#), record]) == [])
    let probable = record.replacing("certain", with: "probable")
    #expect(try leaks([subscribe(1), probable]) == ["undisposed 1 []"])
    #expect(try leaks([subscribe(1), probable], hasEnd: false) == ["undisposed 1 [] unproven"])
  }

  @Test("Leaks are ordered by severity")
  func order() throws {
    let lines = [
      subscribe(1), subscribe(2), subscribe(3, parent: 2), subscribe(4), subscribe(5, parent: 4),
      subscribe(6, parent: 5), subscribe(7), RetainedLog.retained(7, at: 50, path: ["a"]),
      SampleLog.subscribe(8, "released", at: 8), SampleLog.end("released", 8, "released", at: 9),
    ]
    #expect(
      try leaks(lines) == [
        "retain-cycle 7 []", "undisposed 4 [5, 6]", "undisposed 2 [3]", "undisposed 1 []",
        "abandoned 8 []",
      ])
  }

  @Test(
    "Leaks that one cycle keeps alive share a group, even if their paths start at different steps")
  func groups() throws {
    let lines = [
      subscribe(1), subscribe(2), subscribe(3), subscribe(4),
      RetainedLog.retained(1, at: 50, path: ["a", "b", "c"]),
      RetainedLog.retained(2, at: 50, path: ["b", "c", "a", "l2"], #","tail":1"#),
      RetainedLog.retained(3, at: 50, path: ["a", "c", "b"]),
      RetainedLog.retained(4, at: 50, path: ["a", "b", "c"])
        .replacing("certain", with: "probable"),
    ]
    let log = try analyze(SampleLog.make(lines))
    let groups = FindingGroup.groups(of: Verdict(log).findings, in: log)
    #expect(groups.map { $0.findings.map(\.lifecycle) } == [[0, 1], [2], [3]])
  }

  @Test("Leaks of one lane that are observed at several places form separate groups")
  func places() throws {
    let lines = (1...4).map { id in
      SampleLog.subscribe(id, "a", at: id, #","observed":"M/F.swift:\#(id % 2)""#)
    }
    let log = try analyze(SampleLog.make(lines))
    let findings = Verdict(log).findings.filter { $0.rule == "undisposed" }
    let groups = FindingGroup.groups(of: findings, in: log)
    #expect(groups.map { $0.findings.map(\.lifecycle) } == [[0, 2], [1, 3]])
    #expect(groups.map(\.observed?.line) == [1, 0])
    #expect(Set(findings.map { Fingerprint($0, in: log).leak }).count == 1)
  }

  @Test("A leak has a cause and one line of advice")
  func causes() throws {
    let lines = [
      subscribe(1), SampleLog.subscribe(2, "b", at: 7, #","cause":1"#),
      SampleLog.subscribe(3, "c", at: 8, #","cause":99"#),
      RetainedLog.facts(
        3, at: 50, steps: RetainedLog.closure("A", at: "M/F.swift:1"), #","break":0"#),
    ]
    let log = try analyze(SampleLog.make(lines))
    let findings = Verdict(log).findings.sorted { $0.lifecycle < $1.lifecycle }
    #expect(findings.map({ log.cause(of: $0)?.subscription.number }) == [nil, 1, 99])
    #expect(findings.map({ log.cause(of: $0)?.lifecycle }) == [nil, 0, nil])
    #expect(findings.map({ log.cause(of: $0)?.time.count }) == [nil, 7, 8])
    #expect(findings.last?.advice == "Capture self weakly: [weak self].")
    #expect(findings.first?.advice == Undisposed().advice)
    for rule in RuleBook.rules {
      #expect(!rule.advice.isEmpty && !rule.advice.contains("\n") && rule.advice.count < 100)
    }
  }

  @Test("Scope leaks and growing lanes are reported at their roots")
  func otherRules() throws {
    let lines =
      scope(1, "screen", 1, 90) + [
        subscribe(1, #","scope":1"#), subscribe(2, parent: 1, #","scope":1"#),
        subscribe(3, #","scope":1"#), SampleLog.end("disposed", 3, "l3", at: 95),
      ]
    let scoped = try RuleFixture("scope-leak", lines, end: 100)
    #expect(scoped.members == [[1], [3]])
    #expect(scoped.findings.map(\.consequences.count) == [1, 0])

    let steps = (0..<4).flatMap { step -> [String] in
      let (time, id) = (1000 * step, 10 * (step + 1))
      return scope(step + 1, "open", time, time + 900) + [
        SampleLog.subscribe(id, "outer", at: time + 1, line: 1),
        SampleLog.subscribe(id + 1, "inner", at: time + 2, line: 2, #","parent":\#(id)"#),
        SampleLog.subscribe(id + 2, "alone", at: time + 3, line: 3),
      ]
    }
    let growing = try RuleFixture("growth", steps, end: 10_000)
    #expect(
      growing.findings.map { growing.log.lifecycles[$0.lifecycle].site.lane } == ["outer", "alone"])
    #expect(growing.findings.map(\.consequences.count) == [4, 0])
  }

  @Test("Evaluating a chain of leaks with one root takes linear time")
  func cost() throws {
    func log(_ count: Int) throws -> LogAnalysis {
      let lines = (1...count).map { subscribe($0, parent: $0 == 1 ? nil : $0 - 1) }
      return try analyze(SampleLog.make(lines))
    }
    let logs = [1000: try log(1000), 30_000: try log(30_000)]
    let growth = costGrowth(from: 1000, to: 30_000) { count in
      guard let log = logs[count] else { return }
      // Several rules would run on several threads, and only the time of this thread is measured.
      let findings = Verdict(log, rules: [Undisposed()]).findings
      #expect(findings.map(\.consequences.count) == [count - 1])
    }
    #expect(growth < 180)
  }
}
