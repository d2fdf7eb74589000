import TerminalUI

/// What the command line knows of a command: parser, help, completions and manual are made from it.
struct CommandSpec: Sendable {
  enum Name: String, CaseIterable, Sendable {
    case report, follow, replay, marbles, check, explain, diff, export, repair, help
  }

  struct Example: Sendable {
    let command: String
    let meaning: String
  }

  /// What stands after the name of a command and is no option.
  struct Operands: Sendable {
    enum Kind: Sendable {
      case log, rule, command
    }

    /// As a usage line shows them.
    let usage: String
    let kind: Kind
    let least: Int
    /// `nil` for any number.
    let most: Int?

    static let logs = Operands(usage: "LOG...", kind: .log, least: 1, most: nil)
    static let log = Operands(usage: "LOG", kind: .log, least: 1, most: 1)
    static let twoLogs = Operands(usage: "OLD NEW", kind: .log, least: 2, most: 2)
    static let rule = Operands(usage: "[RULE]", kind: .rule, least: 0, most: 1)
    static let anyCommand = Operands(usage: "[COMMAND]", kind: .command, least: 0, most: 1)
  }

  let name: Name
  let summary: String
  let operands: Operands
  let examples: [Example]
  let details: String
}
