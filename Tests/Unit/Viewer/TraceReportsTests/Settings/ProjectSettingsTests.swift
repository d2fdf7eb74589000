import Testing

@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceReports

@Suite("Settings")
struct SettingsTests {
  private static let rules = ["growth": ["min"], "silent": [], "dotted.rule": ["min"]]

  private func sentence(_ body: (inout ProjectSettings) throws(SettingsError) -> Void) -> String? {
    var settings = ProjectSettings()
    do throws(SettingsError) {
      try body(&settings)
      return nil
    } catch {
      #expect(error.code == .wrongOption)
      #expect(error.file == nil)
      #expect(settings == ProjectSettings(), "what is wrong must change nothing")
      return error.sentence
    }
  }

  @Test("If an option is given several times, the last one wins")
  func options() throws {
    var settings = ProjectSettings()
    try settings.readFailOn("any")
    try settings.readRule("growth.min=3", known: Self.rules)
    try settings.readRule("growth.min=4", known: Self.rules)
    try settings.readRule("growth=warning", known: Self.rules)
    try settings.readRule("silent.level=off", known: Self.rules)
    try settings.readRule("dotted.rule=error", known: Self.rules)
    try settings.readRule("dotted.rule.min=0.5", known: Self.rules)
    try settings.readMaxActive("a=b=2")
    try settings.readAllow("app.*")
    try settings.readMain("ui")
    #expect(
      settings
        == ProjectSettings(
          failOn: .any,
          rules: [
            "growth": .init(level: .warning, thresholds: ["min": 4]),
            "silent": .init(level: .off),
            "dotted.rule": .init(level: .error, thresholds: ["min": 0.5]),
          ],
          maxActive: [.init(lane: GlobPattern("a=b"), count: 2)],
          allowed: [.init(lane: GlobPattern("app.*"))], main: [GlobPattern("ui")]))
  }

  @Test(
    "An invalid value of --rule is explained",
    arguments: [
      (
        "grwth=off",
        "Rule 'grwth' is not known. Did you mean 'growth'? Known: dotted.rule, growth, silent."
      ),
      (
        "grwth.min=3",
        "Rule 'grwth' is not known. Did you mean 'growth'? Known: dotted.rule, growth, silent."
      ),
      (
        "growth.mim=3",
        "Threshold 'mim' of rule 'growth' is not known. Did you mean 'min'? Known: level, min."
      ),
      ("growth", "'--rule' needs RULE=LEVEL or RULE.THRESHOLD=NUMBER, not 'growth'."),
      ("=off", "'--rule' needs RULE=LEVEL or RULE.THRESHOLD=NUMBER, not '=off'."),
      ("", "'--rule' needs RULE=LEVEL or RULE.THRESHOLD=NUMBER, not ''."),
      ("growth=of", "'--rule growth=' needs one of error, warning, off, not 'of'."),
      ("growth.min=", "'--rule growth.min=' needs a number of 0 or more, not ''."),
      ("growth.min=-1", "'--rule growth.min=' needs a number of 0 or more, not '-1'."),
      ("growth.min= 1", "'--rule growth.min=' needs a number of 0 or more, not ' 1'."),
      ("growth.min=1x", "'--rule growth.min=' needs a number of 0 or more, not '1x'."),
      ("growth.min=nan", "'--rule growth.min=' needs a number of 0 or more, not 'nan'."),
      ("growth.min=1e999", "'--rule growth.min=' needs a number of 0 or more, not '1e999'."),
    ])
  func wrongRules(text: String, expected: String) {
    #expect(
      sentence { s throws(SettingsError) in try s.readRule(text, known: Self.rules) } == expected)
  }

  @Test("An invalid value of another option is explained")
  func wrongOptions() {
    for text in ["search", "=2", ""] {
      #expect(
        sentence { s throws(SettingsError) in try s.readMaxActive(text) }
          == "'--max-active' needs LANE=N, such as 'search.*=2', not '\(text)'.")
    }
    for value in ["", "-1", "+1", "x", "1.5", "99999999999999999999"] {
      #expect(
        sentence { s throws(SettingsError) in try s.readMaxActive("a=\(value)") }
          == "'--max-active' needs an integer of 0 or more after '=', not '\(value)'.")
    }
    #expect(
      sentence { s throws(SettingsError) in try s.readFailOn("never") }
        == "'--fail-on' needs one of error, warning, any, not 'never'.")
    #expect(
      sentence { s throws(SettingsError) in try s.readAllow("") }
        == "'--allow' needs a lane pattern, not ''.")
    #expect(
      sentence { s throws(SettingsError) in try s.readMain("") }
        == "'--main' needs a lane pattern, not ''.")
  }

  @Test("Settings are merged with the settings that override them")
  func laying() throws {
    var file = ProjectSettings(
      failOn: .error,
      rules: [
        "growth": .init(level: .error, thresholds: ["min": 3, "max": 9]),
        "silent": .init(level: .off),
      ],
      maxActive: [.init(lane: GlobPattern("*"), count: 5)],
      allowed: [.init(lane: GlobPattern("a"))], main: [GlobPattern("m")], baseline: "b")
    let unchanged = file
    file.merge(ProjectSettings())
    #expect(file == unchanged)
    file.merge(
      ProjectSettings(
        failOn: .any,
        rules: ["growth": .init(thresholds: ["min": 4]), "late": .init(level: .warning)],
        maxActive: [.init(lane: GlobPattern("x"), count: 1)],
        allowed: [.init(lane: GlobPattern("b"))], baseline: "c"))
    #expect(file.failOn == .any)
    #expect(file.baseline == "c")
    #expect(file.rules["growth"] == .init(level: .error, thresholds: ["min": 4, "max": 9]))
    #expect(file.rules["silent"] == .init(level: .off))
    #expect(file.rules["late"] == .init(level: .warning))
    let limits = RuleSettings(file).limits
    #expect(limits.last { $0.lanes.matches("x") }?.maxCount == 1)
    #expect(limits.last { $0.lanes.matches("y") }?.maxCount == 5)
    #expect(file.allowed.map(\.lane.text) == ["a", "b"])
    #expect(file.main == [GlobPattern("m")])
  }

  @Test("An allowance matches lanes, and also sources if it specifies one")
  func allowances() {
    let settings = ProjectSettings(allowed: [
      .init(lane: GlobPattern("app.*")),
      .init(lane: GlobPattern("feed"), source: GlobPattern("*/Feed.swift:*")),
    ])
    let rules = RuleSettings(settings)
    #expect(rules.allows(Site(lane: "app.x")))
    #expect(rules.allows(Site(lane: "feed", source: "M/Feed.swift:3")))
    #expect(!rules.allows(Site(lane: "feed", source: "M/Other.swift:3")))
    #expect(!rules.allows(Site(lane: "feed")))
    #expect(!rules.allows(Site(lane: "other", source: "M/Feed.swift:3")))
    #expect(!rules.limits.contains { $0.lanes.matches("app.x") })
  }
}
