/// A description of a command. The parser, the help, the completions and the manual all use it.
struct CommandSpec: Sendable {
  enum Name: String, CaseIterable, Sendable {
    case report, follow, replay, marbles, check, run, explain, diff, export, repair, help
  }

  struct Example: Sendable {
    let command: String
    let meaning: String
  }

  /// The operands of a command: the words after its name that are not options.
  struct Operands: Sendable {
    enum Kind: Sendable {
      case log, rule, command
      /// A command of the system and its arguments, after `--`.
      case program
    }

    /// The operands as a usage line shows them.
    let usage: String
    let kind: Kind
    let least: Int
    /// The largest number of operands, or `nil` if there is no limit.
    let most: Int?

    static let logs = Operands(usage: "LOG...", kind: .log, least: 1, most: nil)
    static let log = Operands(usage: "LOG", kind: .log, least: 1, most: 1)
    static let twoLogs = Operands(usage: "OLD NEW", kind: .log, least: 2, most: 2)
    static let rule = Operands(usage: "[RULE]", kind: .rule, least: 0, most: 1)
    static let program = Operands(
      usage: "-- COMMAND [ARGUMENT...]", kind: .program, least: 1, most: nil)
    static let anyCommand = Operands(usage: "[COMMAND]", kind: .command, least: 0, most: 1)
  }

  let name: Name
  let summary: String
  let operands: Operands
  let examples: [Example]
  let details: String
}
