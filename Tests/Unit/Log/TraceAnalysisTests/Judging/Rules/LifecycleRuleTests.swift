import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Rules about single subscriptions")
struct LifecycleRuleTests {
  @Test(
    """
    undisposed: A subscription that is active at a clean end is reported unless its lifetime \
    allows it
    """)
  func undisposed() throws {
    let lines = [
      SampleLog.subscribe(1, "a", at: second), SampleLog.subscribe(2, "b", at: second),
      SampleLog.end("completed", 2, "b", at: 2 * second),
      SampleLog.subscribe(3, "c", at: second, #","lifetime":"process""#),
    ]
    let found = try RuleFixture("undisposed", lines)
    #expect(found.members == [[1]])
    #expect(found.sentences == ["still active after \(99 * second)"])
    #expect(found.findings.map(\.isProven) == [true])
    #expect(try RuleFixture("undisposed", lines, hasEnd: false).findings.map(\.isProven) == [false])
  }

  @Test(
    "The advice about a subscription has the words of its library, with and without its holder",
    arguments: [
      (
        "", "Dispose it with its owner, as in .dispose(in: bag), or declare lifetime: .process.",
        "Dispose the subscription, or remove what holds it from global app."
      ),
      (
        "OpenCombine",
        "Cancel it with its owner, as in .store(in: &cancellables), or declare lifetime: .process.",
        "Cancel the subscription, or remove what holds it from global app."
      ),
      (
        "RxSwift",
        "Dispose it with its owner, as in .disposed(by: bag), or declare lifetime: .process.",
        "Dispose the subscription, or remove what holds it from global app."
      ),
      (
        "AsyncSequence",
        "Cancel the task that iterates with its owner, or declare lifetime: .process.",
        "Cancel the task that iterates, or remove what holds it from global app."
      ),
      (
        "Observation", "Cancel the observer with its owner.",
        "Cancel the observer, or remove what holds it from global app."
      ),
      (
        "of later",
        "Dispose it with its owner, as in .dispose(in: bag), or declare lifetime: .process.",
        "Dispose the subscription, or remove what holds it from global app."
      ),
    ])
  func advice(library: String, general: String, ofHolder: String) throws {
    let key = library.isEmpty ? "" : #","library":"\#(library)""#
    let lines = [
      SampleLog.subscribe(1, "a", at: second, key), SampleLog.subscribe(2, "b", at: second, key),
      RetainedLog.facts(
        2, at: 2 * second, kind: "path",
        steps: #"{"kind":"global","name":"app"},{"kind":"local"}"#),
    ]
    let found = try RuleFixture("undisposed", lines).findings
    #expect(found.map(\.advice) == [general, ofHolder])
  }

  @Test(
    """
    scope-leak: A subscription that outlives its scope is reported, even if it ends later or the \
    process dies
    """
  )
  func scopeLeak() throws {
    let lines =
      scope(1, "screen", second, 10 * second) + scope(2, "other", second, 90 * second) + [
        SampleLog.subscribe(1, "in time", at: 2 * second, #","scope":1"#),
        SampleLog.end("disposed", 1, "in time", at: 10 * second),
        SampleLog.subscribe(2, "late", at: 2 * second, #","scope":1"#),
        SampleLog.end("disposed", 2, "late", at: 13 * second),
        SampleLog.subscribe(3, "never", at: 2 * second, #","scope":1"#),
        SampleLog.subscribe(4, "meant", at: 2 * second, #","scope":1,"lifetime":"process""#),
        SampleLog.subscribe(5, "elsewhere", at: 2 * second),
      ]
    for hasEnd in [true, false] {
      let found = try RuleFixture("scope-leak", lines, hasEnd: hasEnd)
      #expect(found.members == [[2], [3]])
      #expect(found.findings.allSatisfy { $0.isProven })
      #expect(found.sentences[0] == "outlived its scope screen by \(3 * second)")
      #expect(found.sentences[1].hasSuffix("after its scope screen ended"))
    }
  }

  @Test("abandoned: A subscription that is released without an end is reported")
  func abandoned() throws {
    let found = try RuleFixture(
      "abandoned",
      [
        SampleLog.subscribe(1, "a", at: 1), SampleLog.next(1, "a", at: 2, "x"),
        SampleLog.end("released", 1, "a", at: 3), SampleLog.subscribe(2, "a", at: 1),
        SampleLog.end("disposed", 2, "a", at: 3),
      ])
    #expect(found.members == [[1]])
    #expect(found.sentences == ["released at 3 after 1 element, without an end"])
  }

  @Test(
    """
    silent: A subscription that lives longer than the limit without an element or its own end is \
    reported
    """)
  func silent() throws {
    let lines = [
      SampleLog.subscribe(1, "silent", at: 0),
      SampleLog.subscribe(2, "heard", at: 0), SampleLog.next(2, "heard", at: 9, "x"),
      SampleLog.subscribe(3, "short", at: 0),
      SampleLog.end("disposed", 3, "short", at: 59 * second),
      SampleLog.subscribe(4, "completes", at: 0),
      SampleLog.end("completed", 4, "completes", at: 80 * second),
      SampleLog.subscribe(5, "long", at: 0), SampleLog.end("disposed", 5, "long", at: 61 * second),
    ]
    #expect(try RuleFixture("silent", lines).members == [[1], [5]])
    let longer = try RuleFixture("silent", lines) { $0.thresholds["silent"] = ["after": 70] }
    #expect(longer.members == [[1]])
    let shorter = try RuleFixture("silent", lines) { $0.thresholds["silent"] = ["after": 0.5] }
    #expect(shorter.members == [[1], [3], [5]])
  }

  @Test("burst: More elements in a second than the limit are reported")
  func burst() throws {
    let lines =
      [SampleLog.subscribe(1, "a", at: 0), SampleLog.subscribe(2, "b", at: 0)]
      + (0..<11).map { SampleLog.next(1, "a", at: 5 * second + $0, "x") }
      + (0..<11).map { SampleLog.next(2, "b", at: 5 * second + $0 * 200_000_000, "x") }
    let found = try RuleFixture("burst", lines) { $0.thresholds["burst"] = ["count": 10] }
    #expect(found.members == [[1]])
    #expect(found.sentences == ["11 elements in the second that begins at \(5 * second)"])
    #expect(try RuleFixture("burst", lines).findings.isEmpty)
  }

  @Test("after-end: A record after the end of a subscription or a second end is reported")
  func afterEnd() throws {
    let found = try RuleFixture(
      "after-end",
      [
        SampleLog.subscribe(1, "a", at: 0), SampleLog.end("completed", 1, "a", at: 10),
        SampleLog.next(1, "a", at: 15, "x"),
        SampleLog.subscribe(2, "b", at: 0), SampleLog.end("completed", 2, "b", at: 10),
        SampleLog.end("disposed", 2, "b", at: 10),
        SampleLog.subscribe(3, "c", at: 0), SampleLog.end("completed", 3, "c", at: 10),
        SampleLog.next(3, "c", at: 9, "written later"),
      ])
    #expect(found.members == [[1], [2]])
    #expect(found.sentences == ["next at 15, 5 after it was completed", "ended twice at 10"])
  }

  @Test("off-main: A main-thread lane that delivers on another thread is reported")
  func offMain() throws {
    // The elements of the sample arrive on thread 2.
    let lines = [
      SampleLog.subscribe(1, "ui.list", at: 0), SampleLog.next(1, "ui.list", at: 5, "x"),
      SampleLog.subscribe(2, "io", at: 0), SampleLog.next(2, "io", at: 5, "x"),
      SampleLog.subscribe(3, "ui.main", at: 0),
      SampleLog.next(3, "ui.main", at: 5, "x").replacing(#""thread":2"#, with: #""thread":1"#),
    ]
    let found = try RuleFixture("off-main", lines) { $0.mainLanes = [GlobPattern("ui.*")] }
    #expect(found.members == [[1]])
    #expect(
      found.sentences[0].hasPrefix(
        "1 element of 1 on another thread, the first in line 3 of test.jsonl"))
    #expect(try RuleFixture("off-main", lines).findings.isEmpty)
  }

  @Test(
    "stalled: A thread whose last delivery never arrived before the process died is reported"
  )
  func stalled() throws {
    var before = [
      SampleLog.subscribe(1, "down", at: 0), SampleLog.subscribe(2, "up", at: 0, #","parent":1"#),
    ]
    for time in [4, 7, 10] {
      before.append(SampleLog.next(2, "up", at: time, "x"))
      before.append(SampleLog.next(1, "down", at: time + 1, "x"))
    }
    let stalls = before + [SampleLog.next(2, "up", at: 20, "y")]
    let found = try RuleFixture("stalled", stalls, hasEnd: false)
    #expect(found.members == [[2, 1]])
    #expect(found.sentences == ["element 4 at 20 on thread 2 never arrived at down"])
    #expect(try RuleFixture("stalled", stalls).findings.isEmpty, "a clean end")
    #expect(try RuleFixture("stalled", before, hasEnd: false).findings.isEmpty, "it arrived")
    // A debounce may hold back the first elements.
    let first = Array(before.prefix(2)) + [SampleLog.next(2, "up", at: 20, "y")]
    #expect(try RuleFixture("stalled", first, hasEnd: false).findings.isEmpty)
    let arrived = stalls + [SampleLog.next(1, "down", at: 21, "y")]
    #expect(try RuleFixture("stalled", arrived, hasEnd: false).findings.isEmpty)
  }

  @Test("Records missing in the middle of a log make affected findings unproven")
  func holes() throws {
    let lines =
      scope(1, "screen", second, 10 * second) + [
        SampleLog.subscribe(1, "a", at: 2 * second, #","scope":1"#),
        SampleLog.subscribe(2, "a", at: 2 * second),
        SampleLog.end("released", 2, "a", at: 3 * second),
      ]
    let lost = [#"{"t":5,"event":"lost","count":1,"reason":"disk full"}"#]
    func proven(_ rule: String, _ lines: [String], hasEnd: Bool = true) throws -> [Bool] {
      try RuleFixture(rule, lines, hasEnd: hasEnd) {
        $0.limits = [.init(lanes: GlobPattern("a"), maxCount: 1)]
      }.findings.map(\.isProven)
    }
    for rule in ["scope-leak", "max-active", "abandoned"] {
      #expect(try proven(rule, lines) == [true])
      #expect(try proven(rule, lines, hasEnd: false) == [true], "\(rule)")
      #expect(try proven(rule, lines + lost) == [rule == "abandoned"], "\(rule)")
    }
    #expect(try proven("undisposed", lines) == [true])
    #expect(try proven("undisposed", lines, hasEnd: false) == [false])
  }

  @Test(
    "A subscription that began in an unread file isn't reported as silent, duplicate or growth"
  )
  func restated() throws {
    let lines = (1...3).flatMap { id in
      [
        SampleLog.subscribe(id, "a", at: id).replacing("subscribe", with: "alive"),
        SampleLog.twin(id, "a", of: id == 1 ? 3 : 1, at: id),
        SampleLog.next(id, "a", at: 10 + id, "x"), SampleLog.next(id, "a", at: 20 + id, "y"),
      ]
    }
    let silent = [SampleLog.subscribe(9, "b", at: 0).replacing("subscribe", with: "alive")]
    let text = SampleLog.make(lines + silent, end: 100 * second)
      .replacing(#""recorder":"0.1.0""#, with: #""recorder":"0.1.0","segment":2"#)
    let rules = Set(Verdict(try analyze(text)).findings.map(\.rule))
    #expect(rules == ["undisposed"])
    let steps = (1...3).flatMap { scope($0, "request", 10 * $0, 10 * $0 + 5) }
    let clients = (1...3).flatMap { id in
      [
        SampleLog.subscribe(id, "client", at: 10 * id + 1),
        SampleLog.end("disposed", id, "client", at: second),
      ]
    }
    let beginning = SampleLog.make(steps + clients, end: 100 * second)
    #expect(Verdict(try analyze(beginning)).findings.map(\.rule) == ["growth"])
    let last = beginning.replacing(#""recorder":"0.1.0""#, with: #""recorder":"0.1.0","segment":2"#)
    #expect(Verdict(try analyze(last)).findings.isEmpty)
    let whole = Set(
      Verdict(try analyze(text.replacing("alive", with: "subscribe"))).findings.map(\.rule))
    #expect(whole.isSuperset(of: ["undisposed", "duplicate", "silent"]))
  }

  @Test("Levels, allowances and disabled rules decide what is a finding")
  func settings() throws {
    let lines = [SampleLog.subscribe(1, "a", at: 0, line: 7), SampleLog.subscribe(2, "b", at: 0)]
    let text = SampleLog.make(lines)
    func verdict(_ change: (inout RuleSettings) -> Void) throws -> Verdict {
      var settings = RuleSettings()
      change(&settings)
      return Verdict(try analyze(text), settings)
    }
    #expect(try verdict { _ in }.outcome == .findings)
    #expect(try verdict { $0.levels["undisposed"] = .off }.outcome == .clean)
    let warned = try verdict { $0.levels["undisposed"] = .warning }
    #expect(warned.outcome == .clean)
    #expect(warned.outcome(failOn: .warning) == .findings)
    #expect(warned.findings.count == 2)
    let allowed = try verdict { $0.allowances = [.init(lanes: GlobPattern("*"))] }
    #expect(allowed.outcome == .clean)
    #expect(allowed.allowed == 2)
    let place = try verdict {
      $0.allowances = [.init(lanes: GlobPattern("*"), source: GlobPattern("*/Model.swift:7"))]
    }
    #expect(place.findings.count == 1)
    #expect(place.allowed == 1)
  }

  @Test("Each rule has a unique name and summary, and an explanation")
  func texts() {
    let ids = RuleBook.rules.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(Set(RuleBook.rules.map(\.summary)).count == ids.count)
    for rule in RuleBook.rules {
      #expect(rule.summary.hasSuffix("."))
      #expect(rule.explanation.contains("\n\n"), "\(rule.id)")
      #expect(!rule.explanation.contains("  "), "\(rule.id)")
      #expect(RuleBook.rule(rule.id)?.id == rule.id)
    }
    #expect(RuleBook.rule("none") == nil)
  }
}
