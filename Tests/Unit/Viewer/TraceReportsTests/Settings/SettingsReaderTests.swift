import Testing

@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceReports

@Suite("SettingsReader")
struct SettingsReaderTests {
  private static let rules = [
    "undisposed": [], "growth": ["min", "ratio"], "silent": ["after"],
  ]

  private func read(_ text: String, path: String = "/project/.trace-viewer.json") throws
    -> ProjectSettings
  {
    try SettingsReader(rules: Self.rules).read(Array(text.utf8), path: path)
  }

  private func sentence(_ text: String) -> String? {
    do throws(SettingsError) {
      _ = try SettingsReader(rules: Self.rules).read(Array(text.utf8), path: "p/s.json")
      return nil
    } catch {
      #expect(error.file == "p/s.json")
      #expect(error.location != nil)
      return error.sentence
    }
  }

  @Test("The settings reader reads every setting")
  func everything() throws {
    let settings = try read(
      """
      {
        "$schema": "https://example.org/schema.json",
        "failOn": "warning",
        "rules": {
          "silent": "off",
          "growth": { "level": "error", "min": 3, "ratio": 1.5 },
          "undisposed": {}
        },
        "maxActive": { "search.*": 2, "a=b": 0 },
        "allow": [ "app.*", { "lane": "feed", "source": "*/Feed.swift:*", \
      "reason": "lives long" } ],
        "main": [ "ui.*", "view?" ],
        "baseline": "ci/baseline.json"
      }
      """)
    #expect(
      settings
        == ProjectSettings(
          failOn: .warning,
          rules: [
            "silent": .init(level: .off),
            "growth": .init(level: .error, thresholds: ["min": 3, "ratio": 1.5]),
            "undisposed": .init(),
          ],
          maxActive: [
            .init(lane: GlobPattern("search.*"), count: 2),
            .init(lane: GlobPattern("a=b"), count: 0),
          ],
          allowed: [
            .init(lane: GlobPattern("app.*")),
            .init(
              lane: GlobPattern("feed"), source: GlobPattern("*/Feed.swift:*"),
              reason: "lives long"),
          ],
          main: [GlobPattern("ui.*"), GlobPattern("view?")],
          baseline: "/project/ci/baseline.json"))
  }

  @Test("An empty object in a settings file means default settings")
  func nothing() throws {
    #expect(try read("{}") == ProjectSettings())
  }

  @Test(
    "The path of a baseline is relative to the settings file",
    arguments: [
      (".trace-viewer.json", "b.json"), ("../.trace-viewer.json", "../b.json"),
      ("/.trace-viewer.json", "/b.json"), ("a/b/.trace-viewer.json", "a/b/b.json"),
    ])
  func baseline(path: String, expected: String) throws {
    #expect(try read(#"{"baseline": "b.json"}"#, path: path).baseline == expected)
  }

  @Test(
    "A baseline path that leads out of the folder is rejected",
    arguments: ["/x/b.json", "../b.json", "a/../../b.json", "..", "./../b", "a//../../b", "/"])
  func baselineElsewhere(path: String) {
    #expect(
      sentence("{\"baseline\": \"\(path)\"}")
        == """
        p/s.json:1: '.baseline' must be a path inside the folder of the settings file (line 1). \
        Name a file elsewhere with --baseline.
        """
    )
  }

  @Test("An error never quotes the contents of a file that isn't a settings file")
  func foreign() {
    for text in [
      "123456", "\"ghp_secret\"", "[\"ghp_secret\"]", "{\"ghp_secret\": \"x\"}", "ghp_secret",
    ] {
      let sentence = sentence(text) ?? ""
      #expect(!sentence.isEmpty)
      for secret in ["123", "ghp", "secret"] { #expect(!sentence.contains(secret), "\(sentence)") }
    }
  }

  @Test(
    "A settings error has the file, the line and the key of the invalid value",
    arguments: [
      (
        "{\n\"failOn\": \"warning\",}",
        ":2:21: A comma must not follow the last value. Remove the one before '}'."
      ),
      ("[]", ":1: '.' must be an object with settings, such as {}, not an array (line 1)."),
      (
        "{\n\"failon\": \"any\"}",
        """
        :2: '.failon' is not a known key (line 2). Did you mean 'failOn'? Known: $schema, failOn, \
        rules, maxActive, allow, main, baseline.
        """
      ),
      (
        "{\"failOn\": \"warnings\"}",
        """
        :1: '.failOn' must be one of 'error', 'warning', 'any', not 'warnings' (line 1). Did you \
        mean 'warning'?
        """
      ),
      (
        "{\"failOn\": null}",
        ":1: '.failOn' must be one of 'error', 'warning', 'any', not null (line 1)."
      ),
      ("{\"$schema\": 1}", ":1: '.$schema' must be a string, not 1 (line 1)."),
      (
        "{\"rules\": []}",
        ":1: '.rules' must be an object with a member for each rule, not an array (line 1)."
      ),
      (
        "{\"rules\":\n{\"grwth\": \"off\"}}",
        """
        :2: '.rules.grwth' is not a known rule (line 2). Did you mean 'growth'? Known: growth, \
        silent, undisposed.
        """
      ),
      (
        "{\"rules\": {\"growth\": 3}}",
        ":1: '.rules.growth' must be 'error', 'warning', 'off' or an object, not 3 (line 1)."
      ),
      (
        "{\"rules\": {\"growth\": \"of\"}}",
        """
        :1: '.rules.growth' must be one of 'error', 'warning', 'off', not 'of' (line 1). Did you \
        mean 'off'?
        """
      ),
      (
        "{\"rules\": {\"growth\": {\n\"min\": \"3\"}}}",
        ":2: '.rules.growth.min' must be a number of 0 or more, not a string (line 2)."
      ),
      (
        "{\"rules\": {\"growth\": {\"min\": -1}}}",
        ":1: '.rules.growth.min' must be a number of 0 or more, not -1 (line 1)."
      ),
      (
        "{\"rules\": {\"growth\": {\"mni\": 1}}}",
        """
        :1: '.rules.growth.mni' is not a known key of this rule (line 1). Did you mean 'min'? \
        Known: level, min, ratio.
        """
      ),
      (
        "{\"rules\": {\"undisposed\": {\"min\": 1}}}",
        ":1: '.rules.undisposed.min' is not a known key of this rule (line 1). Known: level."
      ),
      (
        "{\"maxActive\": {\"a.*\": 1.5}}",
        ":1: '.maxActive[\"a.*\"]' must be an integer of 0 or more, not 1.5 (line 1)."
      ),
      (
        "{\"maxActive\": {\"\": 1}}",
        """
        :1: '.maxActive[""]' must have a lane pattern as its key (line 1). Write "*" for all \
        lanes.
        """
      ),
      (
        "{\"maxActive\": 3}",
        ":1: '.maxActive' must be an object with a lane pattern as each key, not 3 (line 1)."
      ),
      (
        "{\"allow\": \"a\"}",
        ":1: '.allow' must be an array of lane patterns and objects, not a string (line 1)."
      ),
      (
        "{\"allow\": [\"a\",\n3]}",
        ":2: '.allow[1]' must be a lane pattern or an object, not 3 (line 2)."
      ),
      (
        "{\"allow\": [{\"source\": \"a\"}]}",
        ":1: '.allow[0]' has no 'lane' (line 1). Write \"lane\": \"*\" for all lanes."
      ),
      (
        "{\"allow\": [{\"lane\": \"a\", \"why\": \"b\"}]}",
        ":1: '.allow[0].why' is not a known key (line 1). Known: lane, source, reason."
      ),
      (
        "{\"allow\": [{\"lane\": \"a\", \"source\": \"\"}]}",
        ":1: '.allow[0].source' must be a nonempty pattern, not an empty string (line 1)."
      ),
      (
        "{\"main\": [\"\"]}",
        ":1: '.main[0]' must be a nonempty lane pattern, not an empty string (line 1)."
      ),
      ("{\"main\": {}}", ":1: '.main' must be an array of lane patterns, not an object (line 1)."),
      (
        "{\"baseline\": \"\"}",
        ":1: '.baseline' must be a nonempty path, not an empty string (line 1)."
      ),
    ])
  func errors(text: String, rest: String) {
    #expect(sentence(text) == "p/s.json" + rest)
  }

  @Test("Syntax errors and invalid values in settings have different codes")
  func codes() {
    let codes = ["{", "{\"x\": 1}"].map { text -> SettingsError.Code? in
      do throws(SettingsError) {
        _ = try SettingsReader(rules: [:]).read(Array(text.utf8), path: "s")
        return nil
      } catch {
        return error.code
      }
    }
    #expect(codes == [.notJSON, .wrongMember])
  }
}
