import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceWords

@Suite("ViewFilter")
struct ViewFilterTests {
  /// Returns the numbers of the subscriptions in the leaking log that match a filter.
  private func fitting(_ text: String) throws -> [UInt64] {
    let log = try ViewerStage.snapshot(SampleLog.leak).analysis
    let fitting = try ViewFilter(text).resolved(in: log, .init(leaks: [2])).matches(in: log)
    return log.lifecycles.indices.filter { fitting[$0] }
      .map { log.lifecycles[$0].id.number }.sorted()
  }

  @Test(
    "A subscription must match one word of each kind in a filter",
    arguments: [
      ("", [1, 2, 3, 4]), ("lane:request", [2, 3]), ("lane:re*", [1, 2, 3]),
      ("lane:request lane:settings", [2, 3, 4]), ("source:App/Model.swift:57", [2, 3]),
      ("source:*.swift", [1, 2, 3, 4]), ("source:*.c", []), ("state:active", [2, 4]),
      ("state:failed state:disposed", [1, 3]), ("lane:request state:active", [2]),
      ("dur>800ms", [4]), ("dur>=800ms", [1, 2, 4]), ("dur<0.3s", [3]), ("dur=200ms", [3]),
      ("elements>0", [2]), ("elements=0", [1, 3, 4]), ("elements<=1", [1, 2, 3, 4]),
      ("start<0.2s start>0", [1]), ("scope:x", []), ("REQUEST", []), ("request", [2, 3]),
      ("model 57", [2, 3]), ("App/Model.swift:12", [4]),
      ("-lane:request", [1, 4]), ("!lane:request", [1, 4]), ("-request", [1, 4]),
      ("-state:active", [1, 3]), ("lane:re* -state:failed", [1, 2]),
      ("-lane:request -lane:settings", [1]), ("-dur>800ms", [1, 2, 3]), ("#3", [3]),
      ("#3 id:4", [3, 4]), ("id:#2", [2]), ("-#3", [1, 2, 4]), ("#99", []),
      ("-scope:x", [1, 2, 3, 4]),
      ("process:*", [1, 2, 3, 4]), ("process:4242", [1, 2, 3, 4]), ("process:other", []),
      ("-process:4242", []), ("\"-request\"", []), ("-\"request\"", [1, 4]),
    ] as [(String, [UInt64])])
  func fits(text: String, numbers: [UInt64]) throws {
    #expect(try fitting(text) == numbers)
  }

  @Test("A scope filter matches titles and patterns")
  func scopes() throws {
    let log = try ViewerStage.snapshot(
      SampleLog.make([
        #"{"t":1,"event":"scope-begin","scope":1,"name":"Search screen"}"#,
        SampleLog.subscribe(1, "a", at: 2, #","scope":1"#), SampleLog.subscribe(2, "b", at: 3),
      ])
    ).analysis
    let title = log.lifecycles.compactMap { log.scope(of: $0)?.title }.first ?? "no scope"
    let filter = try ViewFilter("scope:\"\(title)\"")
    #expect(filter.resolved(in: log).matches(in: log) == [true, false])
    let pattern = try ViewFilter("scope:\"Search *\"")
    #expect(pattern.resolved(in: log).matches(in: log) == [true, false])
  }

  @Test("Quoted words in a filter are one word")
  func quotes() throws {
    let contents = try ViewFilter(#"value:"two words" thread:"thread 2""#).wanted.conditions
      .contents
    #expect(contents == [SearchText("two words")])
    #expect(try ViewFilter(#"thread:"thread 2""#).wanted.threads == ["thread 2"])
    #expect(try ViewFilter(#""two words""#).wanted.conditions.words == [SearchText("two words")])
    #expect(
      try ViewFilter(#"value:"not closed"#).wanted.conditions.contents == [SearchText("not closed")]
    )
    #expect(try ViewFilter("  lane:a   lane:b ").wanted.conditions.lanes.count == 2)
  }

  @Test(
    "An invalid filter is explained",
    arguments: [
      ("state:busy", "Unknown state 'busy'. Use active, completed, failed, disposed, released."),
      ("lane:", "Enter a value after 'lane:'."),
      (
        "colour:red",
        """
        Unknown filter 'colour:'. Use lane, source, scope, thread, value, state, process, rule, \
        id, has, dur>1s, elements>10, start<2s.
        """
      ),
      (
        "gap>100us",
        """
        Unknown filter 'gap>'. Use lane, source, scope, thread, value, state, process, rule, id, \
        has, dur>1s, elements>10, start<2s.
        """
      ),
      ("dur>soon", "'soon' after dur must be a time, as in 1.5s."),
      ("elements>many", "'many' after elements must be a number, as in elements>10."),
      ("elements>", "'' after elements must be a number, as in elements>10."),
      ("-", "Enter what to leave out after '-', as in -lane:a.*"),
      ("id:x", "'x' after id: must be a number, as in id:7."),
      ("has:luck", "Unknown value 'luck' after has:. Use finding."),
      ("-state:busy", "Unknown state 'busy'. Use active, completed, failed, disposed, released."),
      ("elements>-1", "'-1' after elements must be a number, as in elements>10."),
    ])
  func problems(text: String, sentence: String) {
    #expect(throws: ViewFilter.Problem(sentence: sentence)) { try ViewFilter(text) }
  }

  @Test("Words that only start like a comparison are plain words")
  func words() throws {
    #expect(try ViewFilter("duration elements started").wanted.conditions.words.count == 3)
    #expect(try ViewFilter("duration").wanted.conditions.comparisons == [])
    #expect(
      try ViewFilter("Model.swift:42").wanted.conditions.words == [SearchText("Model.swift:42")])
  }

  @Test("A filter that contains only spaces is empty")
  func isEmpty() throws {
    #expect(try ViewFilter("").isEmpty)
    #expect(try ViewFilter("   ").isEmpty)
    #expect(try !ViewFilter("a").isEmpty)
    var leaks = ViewFilter()
    leaks.leaksOnly = true
    #expect(!leaks.isEmpty)
    #expect(try ViewFilter("value:x").needsEvents && ViewFilter("thread:1").needsEvents)
    #expect(try !ViewFilter("lane:x dur>1s").needsEvents)
  }

  @Test("Thread and value filters match all events in the viewer, but only elements in a report")
  func evidence() throws {
    let log = try ViewerStage.snapshot(
      SampleLog.make([
        SampleLog.subscribe(1, "a", at: 1), SampleLog.next(1, "a", at: 2, "found"),
        SampleLog.subscribe(2, "a", at: 3),
        #"{"t":4,"event":"failed","sub":2,"lane":"a","error":"found","thread":7}"#,
      ])
    ).analysis
    for (text, elements) in [
      ("value:found", [true, false]), ("thread:7", [false, false]),
      ("thread:main value:found", [false, false]),
    ] {
      var filter = try ViewFilter(text).resolved(in: log)
      #expect(filter.evidence == .allEvents)
      let all = try filter.matchesOfEvents(in: log)
      #expect(all == (text == "thread:7" ? [false, true] : [true, true]), "\(text)")
      filter.evidence = .elements
      #expect(try filter.matchesOfEvents(in: log) == elements, "\(text)")
    }
  }

  @Test("A filter finds the subscriptions of the findings of a rule")
  func rules() throws {
    let log = try ViewerStage.snapshot(SampleLog.leak).analysis
    let findings = Verdict(log, RuleSettings()).findings
    let rule = try #require(findings.first?.rule)
    func fitting(_ text: String) throws -> [Int] {
      let filter = try ViewFilter(text).resolved(in: log, .init(findings: findings))
      return filter.matches(in: log).enumerated().filter(\.element).map(\.offset)
    }
    let affected = Set(findings.filter { $0.rule == rule }.flatMap(\.affected)).sorted()
    #expect(try fitting("rule:\(rule)") == affected)
    #expect(try fitting("has:finding") == Set(findings.flatMap(\.affected)).sorted())
    #expect(try fitting("-has:finding").count == 4 - Set(findings.flatMap(\.affected)).count)
    #expect(try fitting("rule:nothing") == [])
  }

  @Test("A negated value or thread leaves out the subscriptions with such an event")
  func negatedEvents() throws {
    let log = try ViewerStage.snapshot(
      SampleLog.make([
        SampleLog.subscribe(1, "a", at: 1), SampleLog.next(1, "a", at: 2, "found"),
        SampleLog.subscribe(2, "a", at: 3), SampleLog.next(2, "a", at: 4, "other"),
      ])
    ).analysis
    #expect(try ViewFilter("-value:found").matchesOfEvents(in: log) == [false, true])
    #expect(try ViewFilter("value:o -value:found").matchesOfEvents(in: log) == [false, true])
    #expect(try ViewFilter("-thread:main").matchesOfEvents(in: log)?.count == 2)
    #expect(try ViewFilter("-lane:a").matchesOfEvents(in: log) == nil)
  }
}
