import TerminalUI
package import TraceAnalysis
import TraceFormat
import TraceWords
package import ViewerConsole

/// The settings for checking logs: the settings file of the project, overridden by the command
/// line.
package struct LoadedSettings: Equatable {
  package let rules: RuleSettings
  package let failOn: Verdict.FailOn
  /// The path for the file system, or `nil` if no baseline is named.
  package let baseline: String?
  /// The path of the settings file, if there is one.
  package private(set) var file: String?

  init(_ settings: ProjectSettings) {
    rules = RuleSettings(settings)
    failOn = settings.failOn ?? .error
    baseline = settings.baseline
  }

  /// Reads the settings file and then the options. The file is the one that `--config` names, or
  /// else the nearest `.trace-viewer.json` unless `--no-config` forbids it. Prints the path of the
  /// file.
  package static func load(_ console: Console) throws(UsageError) -> LoadedSettings {
    let arguments = console.arguments
    let file = try file(console)
    do throws(SettingsError) {
      var settings = ProjectSettings()
      if let (path, bytes) = file {
        settings = try SettingsReader(rules: known).read(bytes, path: path)
      }
      if let (path, _) = file, let baseline = settings.baseline, arguments[.baseline] == nil,
        !SettingsFile.isInside(baseline, folderOf: path)
      {
        throw SettingsError.outside(baseline, of: path)
      }
      settings.merge(try options(arguments))
      var loaded = LoadedSettings(settings)
      loaded.file = file?.0
      if let path = file?.0 { console.writeError("Settings", path) }
      return loaded
    } catch {
      let code: UsageError.Code = error.file == nil ? .wrongValue : .wrongFile
      throw UsageError(code, arguments.command, error.sentence)
    }
  }

  /// The ids of all rules, with their thresholds.
  static let known = Dictionary(
    RuleBook.rules.map { ($0.id, $0.thresholds.map(\.name)) }, uniquingKeysWith: { $0 + $1 })

  /// Returns the settings of the options.
  static func options(_ arguments: ParsedArguments) throws(SettingsError) -> ProjectSettings {
    var settings = ProjectSettings()
    if let level = arguments[.failOn] { try settings.readFailOn(level) }
    for text in arguments.all(.rule) { try settings.readRule(text, known: known) }
    for text in arguments.all(.maxActive) { try settings.readMaxActive(text) }
    for text in arguments.all(.allow) { try settings.readAllow(text) }
    settings.narrowAllowed(to: arguments.all(.allowSource))
    for text in arguments.all(.main) { try settings.readMain(text) }
    settings.baseline = arguments[.baseline]
    return settings
  }

  private static func file(_ console: Console) throws(UsageError) -> (String, [UInt8])? {
    let arguments = console.arguments
    if let path = arguments[.config] {
      guard !arguments.has(.noConfig) else {
        throw UsageError(
          .wrongValue, arguments.command,
          "'--config' and '--no-config' contradict each other. Use only one of them."
        )
      }
      return (path, try InputFile.read(path, as: "settings file", arguments.command))
    }
    guard !arguments.has(.noConfig) else { return nil }
    switch SettingsFile.search(
      from: console.directory, home: console.environment["HOME"].map { RealPath.of($0) ?? $0 })
    {
    case .none: return nil
    case .foreign(let path):
      console.writeError(
        "Warning",
        """
        \(path): The file belongs to another user and is ignored. To use it anyway, name it with \
        '--config'.
        """
      )
      return nil
    case .found(let path):
      guard SettingsFile.isInside(path, folderOf: path) else {
        throw UsageError(
          .unreadableFile, arguments.command,
          "\(path): This is a link to a file outside its folder. Name its target with '--config'.")
      }
      return (path, try InputFile.read(path, as: "settings file", arguments.command))
    }
  }
}

extension ProjectSettings {
  /// Restricts allowances to the sources of `--allow-source`. The restriction applies to the
  /// allowed lanes, or to all lanes if none is allowed.
  fileprivate mutating func narrowAllowed(to sources: [String]) {
    guard !sources.isEmpty else { return }
    let lanes = allowed.isEmpty ? [GlobPattern("*")] : allowed.map(\.lane)
    allowed = lanes.flatMap { lane in
      sources.map { Allowance(lane: lane, source: GlobPattern($0)) }
    }
  }
}
