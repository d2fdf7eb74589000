import ReactiveTrace
import TestSupport
import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import trace_viewer

@Suite("ViewFilter")
struct ViewFilterTests {
  /// The numbers of the subscriptions that a filter lets through, of the log that has a leak.
  private func fitting(_ text: String) throws -> [UInt64] {
    let log = try ViewerStage.snapshot(SampleLog.leak).analysis
    let filter = try ViewFilter(text)
    return log.lifecycles.indices.filter { filter.fits($0, in: log, leaks: [2]) }
      .map { log.lifecycles[$0].id.number }.sorted()
  }

  @Test(
    "lets through what fits every kind of its words, and one of each kind",
    arguments: [
      ("", [1, 2, 3, 4]), ("lane:request", [2, 3]), ("lane:re*", [1, 2, 3]),
      ("lane:request lane:settings", [2, 3, 4]), ("source:App/Model.swift:57", [2, 3]),
      ("source:*.swift", [1, 2, 3, 4]), ("source:*.c", []), ("state:active", [2, 4]),
      ("state:failed state:disposed", [1, 3]), ("lane:request state:active", [2]),
      ("dur>800ms", [4]), ("dur>=800ms", [1, 2, 4]), ("dur<0.3s", [3]), ("dur=200ms", [3]),
      ("elements>0", [2]), ("elements=0", [1, 3, 4]), ("elements<=1", [1, 2, 3, 4]),
      ("start<0.2s start>0", [1]), ("scope:x", []), ("REQUEST", []), ("request", [2, 3]),
      ("model 57", [2, 3]), ("App/Model.swift:12", [4]),
    ] as [(String, [UInt64])])
  func fits(text: String, numbers: [UInt64]) throws {
    #expect(try fitting(text) == numbers)
  }

  @Test("knows scopes by their titles")
  func scopes() throws {
    let log = try ViewerStage.snapshot(
      SampleLog.make([
        #"{"t":1,"event":"scope-begin","scope":1,"name":"Search screen"}"#,
        SampleLog.subscribe(1, "a", at: 2, #","scope":1"#), SampleLog.subscribe(2, "b", at: 3),
      ])
    ).analysis
    let title = log.lifecycles.compactMap { log.scope(of: $0)?.title }.first ?? "no scope"
    let filter = try ViewFilter("scope:\"\(title)\"")
    #expect(log.lifecycles.indices.filter { filter.fits($0, in: log, leaks: []) } == [0])
    let pattern = try ViewFilter("scope:\"Search *\"")
    #expect(log.lifecycles.indices.filter { pattern.fits($0, in: log, leaks: []) } == [0])
  }

  @Test("takes what stands in quotes for one word")
  func quotes() throws {
    #expect(try ViewFilter(#"value:"two words" thread:"thread 2""#).values == ["two words"])
    #expect(try ViewFilter(#"thread:"thread 2""#).threads == ["thread 2"])
    #expect(try ViewFilter(#""two words""#).words == [SearchText("two words")])
    #expect(try ViewFilter(#"value:"not closed"#).values == ["not closed"])
    #expect(try ViewFilter("  lane:a   lane:b ").lanes.count == 2)
  }

  @Test(
    "explains what it cannot understand",
    arguments: [
      (
        "state:busy", "'busy' is no state. There are active, completed, failed, disposed, released."
      ),
      ("lane:", "Say something after 'lane:'."),
      (
        "colour:red",
        "There is no 'colour:'. There are lane, source, scope, thread, value, state, dur>1s, elements>10, start<2s."
      ),
      ("dur>soon", "'soon' after dur must be a time, as in 1.5s."),
      ("elements>many", "'many' after elements must be a number, as in elements>10."),
      ("elements>", "'' after elements must be a number, as in elements>10."),
      ("elements>-1", "'-1' after elements must be a number, as in elements>10."),
    ])
  func problems(text: String, sentence: String) {
    #expect(throws: ViewFilter.Problem(sentence: sentence)) { try ViewFilter(text) }
  }

  @Test("takes words that only begin like a comparison for words")
  func words() throws {
    #expect(try ViewFilter("duration elements started").words.count == 3)
    #expect(try ViewFilter("duration").comparisons == [])
    #expect(try ViewFilter("Model.swift:42").words == [SearchText("Model.swift:42")])
  }

  @Test("is empty without a word, whatever spaces were typed")
  func isEmpty() throws {
    #expect(try ViewFilter("").isEmpty)
    #expect(try ViewFilter("   ").isEmpty)
    #expect(try !ViewFilter("a").isEmpty)
    var leaks = ViewFilter()
    leaks.leaksOnly = true
    #expect(!leaks.isEmpty)
    #expect(try ViewFilter("value:x").needsElements && ViewFilter("thread:1").needsElements)
    #expect(try !ViewFilter("lane:x dur>1s").needsElements)
  }
}
