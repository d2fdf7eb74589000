import TerminalUI

/// What the command line knows of an option.
///
/// An option that takes different values with different commands has a spec for each of them, all of the same name.
struct OptionSpec: Sendable {
  /// What the option means, however it is spelled.
  enum Name: CaseIterable, Sendable {
    case color, ascii, help, version, completionScript, manual
    case strict, format, exportFormat, output
    case lane, state, from, until, scope, thread, value, sort, limit
    case rule, maxActive, allow, allowSource, main, config, noConfig
    case mouse, speed, plain, skipGaps
    case failOn, baseline, writeBaseline, pruneBaseline, allowStale
  }

  /// Where the option may be given.
  enum Scope: Sendable {
    case everywhere
    /// Without a command and without a log.
    case alone
    case commands([CommandSpec.Name])
  }

  enum Kind: Sendable {
    case text, file, count
    case oneOf([String])
    /// `FORMAT:FILE`, with the formats.
    case formatAndFile([String])
    /// `LANE=N`.
    case laneAndCount
    /// `4x`, `1/8x`, `max`.
    case speed
    /// `RULE=LEVEL` or `RULE.THRESHOLD=NUMBER`.
    case ruleSetting
  }

  struct Value: Sendable {
    /// What help calls it.
    let word: String
    let kind: Kind
  }

  let name: Name
  /// Without dashes; help shows the first, the others are accepted as well.
  let spellings: [String]
  let letter: Character?
  /// `nil` for an option without a value.
  let value: Value?
  /// Each use adds a value; otherwise the last use wins.
  let isRepeatable: Bool
  let isRequired: Bool
  let scope: Scope
  let summary: String

  init(
    _ name: Name, _ spellings: String..., letter: Character? = nil, value: String? = nil,
    takes kind: Kind = .text, isRepeatable: Bool = false, isRequired: Bool = false, scope: Scope,
    summary: String
  ) {
    self.name = name
    self.spellings = spellings
    self.letter = letter
    self.value = value.map { Value(word: $0, kind: kind) }
    self.isRepeatable = isRepeatable
    self.isRequired = isRequired
    self.scope = scope
    self.summary = summary
  }

  /// As messages name it.
  var spelling: String {
    "--" + (spellings.first ?? "")
  }

  /// The only values it takes; empty if it takes others too.
  var choices: [String] {
    if case .oneOf(let choices)? = value?.kind { choices } else { [] }
  }

  /// Whether it may be given with a command; `nil` is no command at all.
  func belongs(to command: CommandSpec.Name?) -> Bool {
    switch scope {
    case .everywhere: true
    case .alone: command == nil
    // Plain `trace-viewer LOG` is a report.
    case .commands(let commands): commands.contains(command ?? .report)
    }
  }
}
