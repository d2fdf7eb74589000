import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("RuleSettings")
struct RuleSettingsTests {
  private func allowed(_ text: String, source: String?) throws -> Int {
    var settings = RuleSettings()
    settings.allowances = [.init(lanes: GlobPattern("*"), source: source.map { GlobPattern($0) })]
    return Verdict(try analyze(text), settings).allowed
  }

  @Test(
    "An allowance matches a place with or without its line",
    arguments: [
      ("App/Model.swift:57", 1), ("App/Model.swift", 1), ("*Model.swift*", 1), ("*:57", 1),
      ("App/Model.swift:42", 0), ("Model.swift", 0),
    ])
  func source(pattern: String, count: Int) throws {
    #expect(try allowed(SampleLog.leak, source: pattern) == count)
  }

  @Test("An allowance for a place doesn't match a subscription whose place is unknown")
  func unknownPlace() throws {
    let subscribe = #"{"t":1,"event":"subscribe","sub":1,"lane":"a","thread":1,"op":"lane"}"#
    let text = SampleLog.make([subscribe])
    #expect(try allowed(text, source: "*") == 0)
    #expect(try allowed(text, source: nil) == 1)
  }

  @Test(
    "Thresholds can be numbers of any size",
    arguments: [0, 0.5, 1e18, 1e300])
  func thresholds(number: Double) throws {
    var settings = RuleSettings()
    for rule in RuleBook.rules {
      for threshold in rule.thresholds {
        settings.thresholds[rule.id, default: [:]][threshold.name] = number
      }
    }
    let verdict = Verdict(try analyze(SampleLog.leak), settings)
    #expect(verdict.findings.contains { $0.rule == "undisposed" })
    // No log reaches these thresholds.
    let found = Set(verdict.findings.map(\.rule))
    #expect(number < 1e18 || found.isDisjoint(with: ["silent", "burst", "growth"]))
  }
}
