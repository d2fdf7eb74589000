import TraceFormat

/// A description of a command. The parser, the help, the completions and the manual all use it.
package struct CommandSpec: Sendable {
  package enum Name: String, CaseIterable, Sendable {
    case report, follow, replay, marbles, check, run, tasks, leaks, explain, diff, export, repair,
      verify, mcp, help
  }

  package struct Example: Sendable {
    package let command: String
    package let meaning: String

    package init(command: String, meaning: String) {
      self.command = command
      self.meaning = meaning
    }
  }

  /// The operands of a command: the words after its name that are not options.
  package struct Operands: Sendable {
    package enum Kind: Sendable {
      case log, rule, command
      /// A command of the system and its arguments, after `--`.
      case program
      /// The number of a process, or a core file.
      case process
      /// Nothing.
      case nothing
    }

    /// The operands as a usage line shows them.
    package let usage: String
    package let kind: Kind
    package let minCount: Int
    /// The maximum number of operands, or `nil` for any number.
    package let maxCount: Int?

    package static let logs = Operands(usage: "LOG...", kind: .log, minCount: 1, maxCount: nil)
    package static let log = Operands(usage: "LOG", kind: .log, minCount: 1, maxCount: 1)
    package static let twoLogs = Operands(usage: "OLD NEW", kind: .log, minCount: 2, maxCount: 2)
    package static let ruleOrFinding = Operands(
      usage: "[RULE | LOG... ID]", kind: .rule, minCount: 0, maxCount: nil)
    package static let program = Operands(
      usage: "-- COMMAND [ARGUMENT...]", kind: .program, minCount: 1, maxCount: nil)
    package static let processes = Operands(
      usage: "PID|CORE...", kind: .process, minCount: 1, maxCount: nil)
    package static let nothing = Operands(usage: "", kind: .nothing, minCount: 0, maxCount: 0)
    package static let anyCommand = Operands(
      usage: "[COMMAND]", kind: .command, minCount: 0, maxCount: 1)
  }

  package let name: Name
  package let summary: String
  package let operands: Operands
  package let examples: [Example]
  package let details: String

  package init(
    name: Name, summary: String, operands: Operands, examples: [Example], details: String
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.examples = examples
    self.details = details
  }
}

/// The name and the version of the program, as messages and documents show them.
package enum ProgramInfo {
  package static let name = "trace-viewer"
  package static let version = PackageVersion.current
}
