import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Rules about tasks")
struct TaskRuleTests {
  private static let rules = [
    "lost-continuation", "task-deadlock", "task-leak", "cancelled-but-running",
  ]

  /// Returns the record of a task that waits.
  private func task(
    _ number: Int, wait: String = "continuation", reach: String = "open",
    proof: String = "certain", _ more: String = ""
  ) -> String {
    """
    {"t":\(90 * second),"event":"task","sub":\(number),"lane":"a","source":"App/A.swift:\(number)",\
    "task":\(number),"priority":21,"state":"waiting","wait":"\(wait)",\
    "reach":"\(reach)","proof":"\(proof)"\(more)}
    """
  }

  @Test("A task whose continuation nothing has is reported by lost-continuation alone")
  func lost() throws {
    let lines = [task(1, reach: "lost"), task(2, reach: "itself"), task(3), task(4)]
    #expect(try RuleFixture("lost-continuation", lines).members == [[1], [2]])
    for rule in RuleBook.rules.map(\.id) where rule != "lost-continuation" {
      #expect(try RuleFixture(rule, lines).findings.isEmpty, "\(rule)")
    }
  }

  @Test("A lost continuation isn't proven if an address could be overlooked")
  func probable() throws {
    let found = try RuleFixture(
      "lost-continuation", [task(1, reach: "lost", proof: "probable"), task(2, reach: "lost")])
    #expect(found.members == [[2], [1]])
    #expect(found.findings.map(\.isProven) == [true, false])
  }

  @Test("A lost continuation is proven even if the process was killed later")
  func killed() throws {
    let found = try RuleFixture("lost-continuation", [task(1, reach: "lost")], hasEnd: false)
    #expect(found.findings.map(\.isProven) == [true])
  }

  @Test("A task that waits for a stream that only it keeps alive is reported by task-leak alone")
  func leak() throws {
    let lines = [task(1, reach: "itself", #","pause":"stream""#)]
    #expect(try RuleFixture("task-leak", lines).members == [[1]])
    #expect(try RuleFixture("lost-continuation", lines).findings.isEmpty)
  }

  @Test("A task that waits for an undisposed subscription doesn't get a second finding")
  func valuesOfSignal() throws {
    func rules(_ line: Int) throws -> [String] {
      let calls = #","pause":"stream","calls":[{"name":"f()","at":"App/A.swift:\#(line)"}]"#
      let lines = [
        SampleLog.subscribe(9, "news", at: 1, #","observed":"App/A.swift:5""#),
        task(1, reach: "itself", calls),
      ]
      return Verdict(try analyze(SampleLog.make(lines))).groups.map(\.fingerprint.rule)
        .filter { $0 != "silent" }.sorted()
    }
    #expect(try rules(5) == ["undisposed"])
    #expect(try rules(6) == ["task-leak", "undisposed"])
  }

  @Test("The tasks of a circle are one finding, without the tasks that wait for them")
  func circle() throws {
    let found = try RuleFixture(
      "task-deadlock",
      [
        task(1, wait: "task", reach: "circle", #","awaits":[{"sub":2}]"#),
        task(2, wait: "group", reach: "circle", #","awaits":[{"sub":1},{"sub":3}]"#),
        task(3, wait: "task", reach: "circle", #","awaits":[{"sub":1}]"#),
        task(4, wait: "task", reach: "dependent", #","awaits":[{"sub":1}]"#),
        task(5, wait: "task", reach: "circle", #","awaits":[{"sub":5}]"#),
      ])
    #expect(found.members == [[1, 2, 3], [5]])
    #expect(
      found.sentences == [
        "waits for the end of 2 other tasks, which waits for its end", "waits for its own end",
      ])
  }

  @Test("A canceled task that still waits after the grace period is reported")
  func canceled() throws {
    let lines = [
      task(1, #","canceled":200000000"#), task(2, #","canceled":0"#), task(3),
      task(4, reach: "lost", #","canceled":200000000"#),
      task(5, wait: "group", #","canceled":200000000"#),
      task(6, wait: "task", #","canceled":200000000,"awaits":[{"sub":7}]"#),
      task(7, #","canceled":200000000,"parent":6"#),
    ]
    let found = try RuleFixture("cancelled-but-running", lines)
    #expect(found.members == [[1], [7]])
    #expect(found.findings.map(\.level) == [.warning, .warning])
    let patient = try RuleFixture("cancelled-but-running", lines) {
      $0.thresholds["cancelled-but-running"] = ["grace": 1]
    }
    #expect(patient.findings.isEmpty)
  }

  @Test("A task that was declared to live until exit isn't reported")
  func lifetime() throws {
    let subscribe = SampleLog.subscribe(1, "a", at: second, #","lifetime":"process""#)
      .replacing(#""op":"lane""#, with: #""op":"task""#)
    #expect(subscribe.contains(#""op":"task""#))
    for rule in Self.rules {
      let found = try RuleFixture(rule, [subscribe, task(1, reach: "lost")])
      #expect(found.findings.isEmpty, "\(rule)")
    }
  }

  @Test("A task that ended isn't reported, although a record describes how it waited")
  func ended() throws {
    let subscribe = SampleLog.subscribe(1, "a", at: second)
      .replacing(#""op":"lane""#, with: #""op":"task""#)
    let found = try RuleFixture(
      "lost-continuation",
      [subscribe, task(1, reach: "lost"), SampleLog.end("completed", 1, "a", at: 91 * second)])
    #expect(found.findings.isEmpty)
  }

  @Test("An active task isn't an undisposed subscription")
  func undisposed() throws {
    let lines = [
      task(1),
      SampleLog.subscribe(2, "a", at: second).replacing(#""op":"lane""#, with: #""op":"task""#),
    ]
    for rule in ["undisposed", "silent"] {
      #expect(try RuleFixture(rule, lines).findings.isEmpty, "\(rule)")
    }
  }
}
