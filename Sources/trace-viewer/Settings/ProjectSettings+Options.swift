import TerminalUI
import TraceAnalysis
import TraceFormat

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
      throw .option("rule \(left)=", needs: "a number that is 0 or more", not: value)
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
      throw .option("max-active", needs: "an integer that is 0 or more after '='", not: value)
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

  /// Returns a number in JSON notation, so that a setting has the same syntax in both places.
  private static func number(_ text: String) -> Double? {
    guard let first = text.utf8.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first else {
      return nil
    }
    return try? JSONDocument(text).node.number(atLeast: 0)
  }
}
