import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Rules about rows of subscriptions")
struct RowRuleTests {
  /// Returns subscriptions that begin one second apart and live for these numbers of seconds. 0
  /// means that a subscription never ends.
  private func row(_ lives: [Int], lane: String = "a", more: String = "") -> [String] {
    lives.enumerated().flatMap { index, life in
      let begin = (index + 1) * second
      let start = SampleLog.subscribe(index + 1, lane, at: begin, more)
      return life == 0
        ? [start] : [start, SampleLog.end("disposed", index + 1, lane, at: begin + life * second)]
    }
  }

  @Test("growth: A lane whose subscriptions never end is reported")
  func laneGrowth() throws {
    let found = try RuleFixture("growth", row([0, 0, 0]))
    #expect(found.members == [[3, 1, 2]])
    #expect(found.sentences == ["each subscribing leaves one more active: 1, 2, 3"])
    #expect(try RuleFixture("growth", row([0, 0])).findings.isEmpty)
    #expect(try RuleFixture("growth", row([0, 0, 0, 5])).findings.isEmpty)
    let four = try RuleFixture("growth", row([0, 0, 0])) { $0.thresholds["growth"] = ["min": 4] }
    #expect(four.findings.isEmpty)
    let many = try RuleFixture("growth", row(Array(repeating: 0, count: 9)))
    #expect(many.sentences == ["each subscribing leaves one more active: 1, 2, 3, ..., 9"])
    // In the log of a process that died, all of them might still have ended.
    let died = try RuleFixture("growth", row([0, 0, 0]), hasEnd: false)
    #expect(died.findings.map(\.isProven) == [false])
    // A subscription that lives until exit should be made only once.
    let meant = try RuleFixture("growth", row([0, 0, 0], more: #","lifetime":"process""#))
    #expect(meant.findings.count == 1)
  }

  @Test("growth: A scope that leaves more subscriptions active after each repetition is reported")
  func scopeGrowth() throws {
    // One subscription stays active after each repetition, and another one ends.
    var lines: [String] = []
    for round in 0..<3 {
      let begin = (round * 2 + 1) * second
      lines += scope(round + 1, "open", begin, begin + second)
      lines.append(SampleLog.subscribe(round * 2 + 1, "leaks", at: begin + 5))
      lines.append(SampleLog.subscribe(round * 2 + 2, "ends", at: begin + 6))
      lines.append(SampleLog.end("disposed", round * 2 + 2, "ends", at: begin + 7))
    }
    let ends = [SampleLog.end("disposed", 1, "leaks", at: 50 * second)]
    for hasEnd in [true, false] {
      let found = try RuleFixture("growth", lines + ends, hasEnd: hasEnd)
      #expect(found.members == [[5, 1, 3]])
      #expect(found.sentences == ["each open leaves more active: 1, 2, 3"])
      #expect(found.findings.allSatisfy { $0.isProven })
    }
  }

  @Test("duplicate: Observers of one shared source and its connection aren't reported")
  func sharedSource() throws {
    func elements(_ id: Int, _ lane: String = "a") -> [String] {
      (1...3).map { SampleLog.next(id, lane, at: 1000 + 10 * $0 + id, "v\($0)") }
    }
    func joined(_ id: Int) -> String {
      #"{"t":\#(10 * id + 1),"event":"changed","sub":\#(id),"lane":"a","shared":1}"#
    }
    let observers =
      (1...5).map { SampleLog.subscribe($0, "a", at: 10 * $0) }
      + (2...5).map { SampleLog.twin($0, "a", of: 1, at: 10 * $0) }
    let events = (1...5).flatMap { elements($0) }
    #expect(try RuleFixture("duplicate", observers + events).members.map(\.count) == [5])
    #expect(try RuleFixture("duplicate", observers + (2...5).map(joined) + events).members == [])
    // Two sources each do their own work.
    let two = observers + [2, 3, 5].map(joined) + events
    #expect(try RuleFixture("duplicate", two).members == [[1, 4]])
    let connection = [
      SampleLog.subscribe(1, "a", at: 1), SampleLog.subscribe(2, "a", at: 2, #","parent":1"#),
      SampleLog.twin(2, "a", of: 1, at: 3),
    ]
    #expect(try RuleFixture("duplicate", connection + elements(1) + elements(2)).members == [])
  }

  @Test("duplicate: Equal subscriptions are found among many others")
  func duplicateAmongMany() throws {
    let count = 500
    let beginnings =
      (1...count).map { SampleLog.subscribe($0, "a", at: $0) }
      + (2...count).map { SampleLog.twin($0, "a", of: $0 - 1, at: $0) }
    let elements = (1...count).flatMap { number in
      // The elements of 100, 200 and so on are the same.
      let text = number.isMultiple(of: 100) ? "same" : "\(number)"
      return [1000, 2000].map { SampleLog.next(number, "a", at: $0 + number, text) }
    }
    #expect(
      try RuleFixture("duplicate", beginnings + elements).members == [[100, 200, 300, 400, 500]])
  }

  @Test("duplicate: Simultaneous subscriptions from one place with the same elements are reported")
  func duplicate() throws {
    func lane(_ values: [[String]], apart: Int = 0) -> [String] {
      values.enumerated().flatMap { index, values -> [String] in
        let begin = index * (apart + 1) + 1
        return [SampleLog.subscribe(index + 1, "a", at: begin)]
          + (index == 0 ? [] : [SampleLog.twin(index + 1, "a", of: 1, at: begin)])
          + values.enumerated().map { SampleLog.next(index + 1, "a", at: begin + 10 + $0, $1) }
          + [SampleLog.end("disposed", index + 1, "a", at: begin + 50)]
      }
    }
    let same = try RuleFixture("duplicate", lane([["x", "y"], ["x", "y"], ["x", "y"]]))
    #expect(same.members == [[1, 2, 3]])
    #expect(same.sentences == ["3 subscriptions at once with the same 2 elements"])
    #expect(try RuleFixture("duplicate", lane([["x", "y"], ["y", "x"]])).findings.isEmpty)
    #expect(try RuleFixture("duplicate", lane([["x"], ["x"]])).findings.isEmpty)
    let one = try RuleFixture("duplicate", lane([["x"], ["x"]])) {
      $0.thresholds["duplicate"] = ["elements": 1]
    }
    #expect(one.members == [[1, 2]])
    // In a chain of overlapping subscriptions, only the simultaneous ones count.
    let chain = try RuleFixture(
      "duplicate", lane([["x", "y"], ["x", "y"], ["x", "y"]], apart: 29))
    #expect(chain.members == [[1, 2]])
    // Elements whose text in the log is missing or incomplete may have been different.
    let unknown = lane([["x", "y"], ["x", "y"]]).map { $0.replacing(#","value":"x""#, with: "") }
    #expect(try RuleFixture("duplicate", unknown).findings.isEmpty)
    let cut = lane([["x", "y"], ["x", "y"]]).map {
      $0.replacing(#""value":"x""#, with: #""value":"x","truncated":900"#)
    }
    #expect(try RuleFixture("duplicate", cut).findings.isEmpty)
    // Subscriptions that don't overlap aren't duplicates.
    #expect(
      try RuleFixture("duplicate", lane([["x", "y"], ["x", "y"]], apart: 60)).findings.isEmpty)
  }

  @Test("duplicate: Only subscriptions of one source are reported, even if all elements are equal")
  func duplicateSources() throws {
    let events =
      (1...6).map { SampleLog.subscribe($0, "a", at: $0) }
      + (1...6).flatMap { id in
        ["x", "y"].map { SampleLog.next(id, "a", at: 100 + id, $0) }
      }
    #expect(try RuleFixture("duplicate", events).findings.isEmpty)
    // 1, 3 and 5 share a source, and so do 2 and 4, in an order that interleaves them.
    let twins = [(3, 1), (4, 2), (5, 3)].map { SampleLog.twin($0, "a", of: $1, at: $0) }
    #expect(try RuleFixture("duplicate", events + twins).members == [[1, 3, 5]])
    let restated = events.map { line in
      line.contains(#""sub":4,"#)
        ? line.replacing("subscribe", with: "alive").replacing(#""op""#, with: #""twin":2,"op""#)
        : line
    }
    // A subscription that began in an earlier file isn't whole.
    #expect(try RuleFixture("duplicate", restated).findings.isEmpty)
  }

  @Test("max-active: More active subscriptions of a lane than the limit are reported")
  func maxActive() throws {
    let lines = row([3, 3, 3, 1])
    func fixture(_ limits: [(String, Int)]) throws -> RuleFixture {
      try RuleFixture("max-active", lines) { settings in
        settings.limits = limits.map { .init(lanes: GlobPattern($0.0), maxCount: $0.1) }
      }
    }
    #expect(try fixture([("a", 3)]).findings.isEmpty)
    let two = try fixture([("a", 2)])
    #expect(two.members == [[3, 1, 2]])
    #expect(
      two.sentences == [
        "3 subscriptions active at once at \(3 * second), but the limit is 2"
      ])
    #expect(try fixture([("a", 2), ("*", 5)]).findings.isEmpty)
    #expect(try fixture([("*", 5), ("a", 2)]).findings.count == 1)
    #expect(try fixture([("b", 0)]).findings.isEmpty)
  }

  @Test("Fingerprints of findings don't depend on line numbers and subscription numbers")
  func fingerprints() throws {
    let log = try analyze(
      SampleLog.make([
        SampleLog.subscribe(1, "a", at: 0, line: 7), SampleLog.subscribe(2, "a", at: 0, line: 9),
        SampleLog.subscribe(3, "b", at: 0, line: 7),
      ]))
    let findings = Verdict(log).findings.filter { $0.rule == "undisposed" }
    let prints = findings.map { Fingerprint($0, in: log) }
    #expect(prints[0] == prints[1])
    #expect(prints[0] != prints[2])
    #expect(prints[0].file == "App/Model.swift")
    #expect(prints[0].digest.count == 16)
    #expect(Set(prints.map(\.digest)).count == 2)
    // The digest is the same on every machine and in every version, because baselines and services
    // store it.
    #expect(
      Fingerprint(rule: "undisposed", lane: "a", file: "App/Model.swift", function: "bind()").digest
        == prints[0].digest)
  }
}
