import TraceAnalysis
import TraceFormat
import ViewerConsole

/// The settings of a project for its logs, from the settings file, from the command line, or from
/// both. Unset values are `nil` or empty.
struct ProjectSettings: Equatable, Sendable {
  typealias FailOn = Verdict.FailOn
  typealias Level = RuleLevel

  struct Rule: Equatable, Sendable {
    var level: Level?
    /// The thresholds, which are numbers of 0 or more.
    var thresholds: [String: Double] = [:]
  }

  /// The maximum number of active subscriptions of a lane at a time.
  struct MaxActive: Equatable, Sendable {
    var lane: GlobPattern
    var count: Int
  }

  /// Subscriptions that are exempt from findings.
  struct Allowance: Equatable, Sendable {
    var lane: GlobPattern
    /// The pattern of the source location, or `nil` for any.
    var source: GlobPattern?
    var reason: String?
  }

  var failOn: FailOn?
  var rules: [String: Rule] = [:]
  /// The limits in the given order. The last one that matches a lane wins.
  var maxActive: [MaxActive] = []
  var allowed: [Allowance] = []
  /// The lanes whose elements belong on the main thread.
  var main: [GlobPattern] = []
  /// The path of the baseline for the file system.
  var baseline: String?

  /// Overrides these settings with later ones. Lists of both are joined.
  mutating func merge(_ later: ProjectSettings) {
    failOn = later.failOn ?? failOn
    baseline = later.baseline ?? baseline
    for (id, rule) in later.rules {
      rules[id, default: Rule()].level = rule.level ?? rules[id]?.level
      rules[id, default: Rule()].thresholds.merge(rule.thresholds) { $1 }
    }
    maxActive += later.maxActive
    allowed += later.allowed
    main += later.main
  }
}

extension RuleSettings {
  /// Creates the settings for the rules from the settings of a project.
  init(_ settings: ProjectSettings) {
    self.init()
    for (id, rule) in settings.rules {
      if let level = rule.level { levels[id] = level }
      if !rule.thresholds.isEmpty { thresholds[id] = rule.thresholds }
    }
    limits = settings.maxActive.map { Limit(lanes: $0.lane, maxCount: $0.count) }
    allowances = settings.allowed.map { Allowance(lanes: $0.lane, source: $0.source) }
    mainLanes = settings.main
  }
}

// The syntax of settings on the command line.
extension ProjectSettings {
  /// Reads a setting such as `--fail-on warning`.
  mutating func readFailOn(_ text: String) throws(SettingsError) {
    guard let level = FailOn(rawValue: text) else {
      throw .option("fail-on", needs: Self.list(FailOn.allCases.map(\.rawValue)), not: text)
    }
    failOn = level
  }

  /// Reads a setting such as `--rule silent=off` or `--rule growth.min=3`.
  ///
  /// - Parameter known: The ids of all rules, with their thresholds.
  mutating func readRule(_ text: String, known: [String: [String]]) throws(SettingsError) {
    let form = "RULE=LEVEL or RULE.THRESHOLD=NUMBER"
    guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")), sign > text.startIndex else {
      throw .option("rule", needs: form, not: text)
    }
    let left = String(text[..<sign])
    let value = String(text[text.utf8.index(after: sign)...])
    if known[left] != nil {
      rules[left, default: Rule()].level = try Self.level(value, of: left)
      return
    }
    guard let dot = left.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      throw .unknown("Rule", left, known: known.keys.sorted())
    }
    let id = String(left[..<dot])
    let threshold = String(left[left.utf8.index(after: dot)...])
    guard let thresholds = known[id] else {
      throw .unknown("Rule", id, known: known.keys.sorted())
    }
    if threshold == "level" {
      rules[id, default: Rule()].level = try Self.level(value, of: left)
      return
    }
    guard thresholds.contains(threshold) else {
      throw .unknown("Threshold", threshold, of: " of rule '\(id)'", known: ["level"] + thresholds)
    }
    guard let number = Self.number(value) else {
      throw .option("rule \(left)=", needs: "a number of 0 or more", not: value)
    }
    rules[id, default: Rule()].thresholds[threshold] = number
  }

  /// Reads `--max-active LANE=N`. The lane may contain `=` too.
  mutating func readMaxActive(_ text: String) throws(SettingsError) {
    guard let sign = text.utf8.lastIndex(of: UInt8(ascii: "=")), sign > text.startIndex else {
      throw .option("max-active", needs: "LANE=N, such as 'search.*=2'", not: text)
    }
    let value = String(text[text.utf8.index(after: sign)...])
    guard let count = Self.digits(value) else {
      throw .option("max-active", needs: "an integer of 0 or more after '='", not: value)
    }
    maxActive.append(MaxActive(lane: GlobPattern(text[..<sign]), count: count))
  }

  /// Reads `--allow LANE`.
  mutating func readAllow(_ text: String) throws(SettingsError) {
    allowed.append(Allowance(lane: try Self.pattern("allow", text)))
  }

  /// Reads `--main LANE`.
  mutating func readMain(_ text: String) throws(SettingsError) {
    main.append(try Self.pattern("main", text))
  }

  private static func pattern(
    _ option: String, _ text: String
  ) throws(SettingsError) -> GlobPattern {
    guard !text.isEmpty else { throw .option(option, needs: "a lane pattern", not: text) }
    return GlobPattern(text)
  }

  private static func level(_ text: String, of left: String) throws(SettingsError) -> Level {
    guard let level = Level(rawValue: text) else {
      throw .option("rule \(left)=", needs: list(Level.allCases.map(\.rawValue)), not: text)
    }
    return level
  }

  private static func list(_ words: [String]) -> String {
    "one of " + words.joined(separator: ", ")
  }

  private static func digits(_ text: String) -> Int? {
    text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
  }

  /// Returns a number in JSON notation, so that a setting has the same syntax here and in the file.
  private static func number(_ text: String) -> Double? {
    guard let first = text.utf8.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first else {
      return nil
    }
    return try? JSONDocument(text).node.number(atLeast: 0)
  }
}
