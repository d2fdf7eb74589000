import TerminalUI

/// An invalid command line: a code, the command that it is about, and a sentence.
struct UsageError: Error, Equatable {
  struct Code: Equatable, Sendable {
    private let name: String

    static let unknownOption = Code(name: "unknown-option")
    static let foreignOption = Code(name: "foreign-option")
    static let missingOption = Code(name: "missing-option")
    static let unknownCommand = Code(name: "unknown-command")
    static let unknownRule = Code(name: "unknown-rule")
    static let missingValue = Code(name: "missing-value")
    static let unexpectedValue = Code(name: "unexpected-value")
    static let wrongValue = Code(name: "wrong-value")
    static let missingOperand = Code(name: "missing-operand")
    static let extraOperand = Code(name: "extra-operand")
    static let sameFile = Code(name: "same-file")
    /// The contents of a file that the command line or the settings name are invalid.
    static let wrongFile = Code(name: "wrong-file")
    static let unreadableFile = Code(name: "unreadable-file")
  }

  let code: Code
  let command: CommandSpec.Name?
  let sentence: String

  init(_ code: Code, _ command: CommandSpec.Name?, _ sentence: String) {
    self.code = code
    self.command = command
    self.sentence = sentence
  }

  /// A Boolean value that indicates whether the error is about the words of the command line and
  /// not about a file.
  var isAboutWords: Bool { code != .wrongFile && code != .unreadableFile }

  var exitCode: ExitCode { code == .unreadableFile ? .cannotOpen : .usage }

  static func hint(_ suggestion: String?) -> String {
    suggestion.map { " Did you mean '\($0)'?" } ?? ""
  }

  static func list(_ choices: [String]) -> String {
    choices.isEmpty ? "" : ", one of " + choices.joined(separator: ", ")
  }
}
