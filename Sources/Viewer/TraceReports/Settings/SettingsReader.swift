import TraceAnalysis
import TraceFormat
import ViewerConsole

/// A reader that checks a whole settings file. Each setting is either applied or an error.
///
///     {
///       "failOn": "warning",
///       "rules": { "silent": "off", "growth": { "level": "error", "min": 3 } },
///       "maxActive": { "search.*": 2 },
///       "allow": [
///         "app.*",
///         { "lane": "feed", "source": "*/Feed.swift:*", "reason": "lives as long as the app" }
///       ],
///       "main": [ "ui.*" ],
///       "baseline": "trace-baseline.json"
///     }
struct SettingsReader {
  private static let keys = [
    "$schema", "failOn", "rules", "maxActive", "allow", "main", "baseline",
  ]
  private static let level = "level"

  /// The ids of all rules, with their thresholds.
  let rules: [String: [String]]

  /// Reads settings.
  ///
  /// - Parameter path: The path of the file. A relative path of a baseline starts at its directory.
  func read(_ bytes: [UInt8], path: String) throws(SettingsError) -> ProjectSettings {
    do throws(JSONError) {
      return try read(JSONDocument(bytes).node, path)
    } catch {
      throw SettingsError(error, in: path)
    }
  }

  private func read(_ root: JSONNode, _ path: String) throws(JSONError) -> ProjectSettings {
    let members = try root.members(only: Self.keys, "an object with settings, such as {}")
    var settings = ProjectSettings()
    _ = try members["$schema"]?.string()
    settings.failOn = try members["failOn"]?.word(ProjectSettings.FailOn.self)
    if let node = members["rules"] { settings.rules = try readRules(node) }
    if let node = members["maxActive"] { settings.maxActive = try readMaxActive(node) }
    if let node = members["allow"] {
      for element in try node.elements("an array of lane patterns and objects") {
        settings.allowed.append(try readAllowance(element))
      }
    }
    if let node = members["main"] {
      for element in try node.elements("an array of lane patterns") {
        settings.main.append(try readPattern(element))
      }
    }
    if let node = members["baseline"] {
      let file = try node.text("a nonempty path")
      guard let baseline = SettingsFile.resolve(file, inFolderOf: path) else {
        throw .content(
          node.path, node.value.location, "must be a path inside the folder of the settings file",
          advice: "Name a file elsewhere with --baseline.")
      }
      settings.baseline = baseline
    }
    return settings
  }

  private func readRules(_ node: JSONNode) throws(JSONError) -> [String: ProjectSettings.Rule] {
    var found: [String: ProjectSettings.Rule] = [:]
    for member in try node.members("an object with a member for each rule") {
      guard let thresholds = rules[member.key] else {
        throw JSONNode.unknown(member, "rule", rules.keys.sorted())
      }
      found[member.key] = try readRule(member.node, thresholds)
    }
    return found
  }

  private func readRule(
    _ node: JSONNode, _ thresholds: [String]
  ) throws(JSONError) -> ProjectSettings.Rule {
    switch node.value.content {
    case .string:
      return ProjectSettings.Rule(level: try node.word(ProjectSettings.Level.self))
    case .object:
      var rule = ProjectSettings.Rule()
      for member in try node.members() {
        if member.key == Self.level {
          rule.level = try member.node.word(ProjectSettings.Level.self)
        } else if thresholds.contains(member.key) {
          rule.thresholds[member.key] = try member.node.number(atLeast: 0)
        } else {
          let known = [Self.level] + thresholds
          throw JSONNode.unknown(member, "key of this rule", known)
        }
      }
      return rule
    default:
      throw node.mustBe("'error', 'warning', 'off' or an object")
    }
  }

  private func readMaxActive(_ node: JSONNode) throws(JSONError) -> [ProjectSettings.MaxActive] {
    var found: [ProjectSettings.MaxActive] = []
    for member in try node.members("an object with a lane pattern as each key") {
      guard !member.key.isEmpty else {
        throw .content(
          member.node.path, member.keyLocation, "must have a lane pattern as its key",
          advice: "Write \"*\" for all lanes.")
      }
      let count = try member.node.integer(atLeast: 0)
      found.append(.init(lane: GlobPattern(member.key), count: count))
    }
    return found
  }

  private func readAllowance(_ node: JSONNode) throws(JSONError) -> ProjectSettings.Allowance {
    switch node.value.content {
    case .string:
      return .init(lane: try readPattern(node))
    case .object:
      let members = try node.members(only: ["lane", "source", "reason"])
      guard let lane = members["lane"] else {
        throw .content(
          node.path, node.value.location, "has no 'lane'",
          advice: "Write \"lane\": \"*\" for all lanes.")
      }
      var allowance = ProjectSettings.Allowance(lane: try readPattern(lane))
      if let source = members["source"] {
        allowance.source = GlobPattern(try source.text("a nonempty pattern"))
      }
      allowance.reason = try members["reason"]?.string()
      return allowance
    default:
      throw node.mustBe("a lane pattern or an object")
    }
  }

  private func readPattern(_ node: JSONNode) throws(JSONError) -> GlobPattern {
    GlobPattern(try node.text("a nonempty lane pattern"))
  }
}
