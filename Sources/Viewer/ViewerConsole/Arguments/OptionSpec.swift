import TerminalUI

/// An enumeration whose cases are the values of an option. Parser, help and completions use the
/// list of its cases.
package protocol OptionChoice: CaseIterable, Sendable {
  /// The case as the command line names it.
  var name: String { get }
}

extension OptionChoice where Self: RawRepresentable, RawValue == String {
  package var name: String { rawValue }
}

extension ColorChoice: OptionChoice {}

/// A description of an option.
///
/// An option that takes different values with different commands has one spec for each of them, all
/// with the same name.
package struct OptionSpec: Sendable {
  /// The meaning of an option, independent of its spelling.
  package enum Name: CaseIterable, Sendable {
    case color, ascii, help, version, completionScript, manual
    case strict, format, exportFormat, output
    case filter, lane, state, from, until, scope, thread, value, sort, limit
    case rule, maxActive, allow, allowSource, main, config, noConfig
    case mouse, noViewFile, speed, plain, skipGaps
    case finding, budget, values
    case failOn, baseline, writeBaseline, pruneBaseline, allowStale
    case keep, all, leaks, stop, save, compare, timeout, totalTimeout
    case full, watch, sysroot
  }

  /// The commands that accept the option.
  package enum Scope: Sendable {
    case everywhere
    /// The option is legal only without a command and without a log.
    case alone
    case commands([CommandSpec.Name])
  }

  package enum Kind: Sendable {
    case text, file, count
    case oneOf([String])
    /// `FORMAT:FILE`, with the legal formats.
    case formatAndFile([String])
    /// `LANE=N`.
    case laneAndCount
    /// `4x`, `1/8x`, `max`.
    case speed
    /// `30s`, `5m`.
    case duration
    /// `RULE=LEVEL` or `RULE.THRESHOLD=NUMBER`.
    case ruleSetting

    package static func oneOf<Choice: OptionChoice>(_ type: Choice.Type) -> Kind {
      .oneOf(type.allCases.map(\.name))
    }
  }

  package struct Value: Sendable {
    /// The name of the value in help text.
    package let word: String
    package let kind: Kind
  }

  package let name: Name
  /// The spellings without dashes. Help shows the first one; the parser accepts the others as well.
  package let spellings: [String]
  package let letter: Character?
  /// The value that the option takes, or `nil` for an option without a value.
  package let value: Value?
  /// A Boolean value that indicates whether each use adds a value. Otherwise the last use wins.
  package let isRepeatable: Bool
  package let isRequired: Bool
  package let scope: Scope
  package let summary: String

  package init(
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

  /// The spelling that messages use.
  package var spelling: String {
    "--" + (spellings.first ?? "")
  }

  /// The only values that the option takes, or an empty array if it takes others too.
  package var choices: [String] {
    if case .oneOf(let choices)? = value?.kind { choices } else { [] }
  }

  /// Reports whether a command accepts the option. `nil` means that no command was given.
  package func belongs(to command: CommandSpec.Name?) -> Bool {
    switch scope {
    case .everywhere: true
    case .alone: command == nil
    // Plain `trace-viewer LOG` is a report.
    case .commands(let commands): commands.contains(command ?? .report)
    }
  }
}
