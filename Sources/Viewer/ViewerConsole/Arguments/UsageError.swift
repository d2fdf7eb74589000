/// An invalid command line: a code, the command that it is about, and a sentence.
package struct UsageError: Error, Equatable {
  package struct Code: Equatable, Sendable {
    private let name: String

    package static let unknownOption = Code(name: "unknown-option")
    package static let foreignOption = Code(name: "foreign-option")
    package static let missingOption = Code(name: "missing-option")
    package static let unknownCommand = Code(name: "unknown-command")
    package static let unknownRule = Code(name: "unknown-rule")
    package static let missingValue = Code(name: "missing-value")
    package static let unexpectedValue = Code(name: "unexpected-value")
    package static let wrongValue = Code(name: "wrong-value")
    package static let missingOperand = Code(name: "missing-operand")
    package static let extraOperand = Code(name: "extra-operand")
    static let sameFile = Code(name: "same-file")
    /// The contents of a file that the command line or the settings name are invalid.
    package static let wrongFile = Code(name: "wrong-file")
    package static let unreadableFile = Code(name: "unreadable-file")
  }

  package let code: Code
  package let command: CommandSpec.Name?
  package let sentence: String

  package init(_ code: Code, _ command: CommandSpec.Name?, _ sentence: String) {
    self.code = code
    self.command = command
    self.sentence = sentence
  }

  /// A Boolean value that indicates whether the error is about the words of the command line and
  /// not about a file.
  package var isAboutWords: Bool { code != .wrongFile && code != .unreadableFile }

  package var exitCode: ExitCode { code == .unreadableFile ? .cannotOpen : .usage }

  package static func hint(_ suggestion: String?) -> String {
    suggestion.map { " Did you mean '\($0)'?" } ?? ""
  }

  package static func list(_ choices: [String]) -> String {
    choices.isEmpty ? "" : " It must be one of " + choices.joined(separator: ", ") + "."
  }
}

// Errors for values that can only be checked against a log.
extension UsageError {
  /// The maximum number of names that a sentence lists.
  private static let maxNames = 12

  package static func unknownTime(
    _ text: String, _ option: String, marks: [String], _ command: CommandSpec.Name
  ) -> UsageError {
    unknown(
      text, option, "a time, such as 1.5s or 300ms, or the name of a mark", "marks", marks, command)
  }

  package static func unknownScope(
    _ text: String, scopes: [String], _ command: CommandSpec.Name
  ) -> UsageError {
    unknown(text, "--scope", "the name or number of a scope", "scopes", scopes, command)
  }

  package static func unknownThread(
    _ text: String, threads: [String], _ command: CommandSpec.Name
  ) -> UsageError {
    unknown(text, "--thread", "the name or number of a thread", "named threads", threads, command)
  }

  package static func unknownLane(
    _ text: String, lanes: [String], _ command: CommandSpec.Name
  ) -> UsageError {
    unknown(
      text, "--lane", "the name of a lane, in which * and ? are wildcards", "lanes", lanes, command,
      hasWildcards: true)
  }

  package static func unknownFinding(
    _ text: String, ids: [String], _ command: CommandSpec.Name
  ) -> UsageError {
    unknown(text, "--finding", "the id of a finding", "findings", ids, command)
  }

  /// Returns the error for the operand of `explain`.
  package static func unexplainedFinding(_ text: String, ids: [String]) -> UsageError {
    let list = ids.prefix(maxNames).joined(separator: ", ") + (ids.count > maxNames ? ", ..." : "")
    let offer = ids.isEmpty ? " The logs don't have findings." : " The findings are: \(list)."
    return UsageError(
      .wrongValue, .explain,
      "No finding has the id '\(text)'.\(hint(Suggestion.best(text, of: ids)))\(offer)")
  }

  package static func emptyTime(_ end: String, _ command: CommandSpec.Name) -> UsageError {
    UsageError(.wrongValue, command, "'\(end)' is before '--from', so the time range is empty.")
  }

  package static func wrongQuery(
    _ text: String, _ option: String, _ reason: String, _ command: CommandSpec.Name?
  ) -> UsageError {
    UsageError(.wrongValue, command, "Invalid value '\(text)' for '\(option)'. \(reason)")
  }

  package static func outputIsInput(_ path: String, _ command: CommandSpec.Name) -> UsageError {
    UsageError(
      .sameFile, command,
      "'\(path)' is one of the logs to read. Choose another file with '--output'.")
  }

  package static func standardOutputIsLog(_ path: String, _ command: CommandSpec.Name) -> UsageError
  {
    UsageError(
      .sameFile, command,
      "Standard output goes to '\(path)', which is one of the logs to read. Redirect it elsewhere.")
  }

  private static func unknown(
    _ text: String, _ option: String, _ demand: String, _ kind: String, _ known: [String],
    _ command: CommandSpec.Name, hasWildcards: Bool = false
  ) -> UsageError {
    var names: [String] = []
    for name in known where !names.contains(name) && names.count <= maxNames { names.append(name) }
    let hint = hint(Suggestion.best(text, of: known, hasWildcards: hasWildcards))
    let list =
      names.prefix(maxNames).joined(separator: ", ") + (names.count > maxNames ? ", ..." : "")
    let offer = names.isEmpty ? " The log has no \(kind)." : " The \(kind) are: \(list)."
    return UsageError(
      .wrongValue, command,
      "Invalid value '\(text)' for '\(option)'. It must be \(demand).\(hint)\(offer)")
  }
}
