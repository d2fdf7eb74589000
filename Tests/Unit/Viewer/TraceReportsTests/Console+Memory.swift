import SystemLibrary

@testable import TerminalUI
@testable import ViewerConsole

extension Console {
  /// Returns a console whose outputs are in memory.
  ///
  /// - Parameter directory: The directory to search for settings and sources, or an empty string
  ///   for none.
  static func inMemory(
    columns: Int? = nil, environment: [String: String] = ["LANG": "C.UTF-8"],
    directory: String = "", error: Output? = nil
  ) -> Console {
    Console(
      out: Stream(output: Output(descriptor: nil), isTerminal: false),
      error: Stream(output: error ?? Output(descriptor: nil), isTerminal: false),
      environment: Environment(environment), terminalColumns: columns,
      fileExists: { access($0, F_OK) == 0 }, directory: directory)
  }
}

/// What a command wrote, and its exit code.
struct Written {
  let code: ExitCode
  let out: String
  let error: String

  init(_ code: ExitCode, _ console: Console) {
    self.code = code
    out = console.out.output.text
    error = console.error.output.text
  }

  var lines: [String] {
    out.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
}
