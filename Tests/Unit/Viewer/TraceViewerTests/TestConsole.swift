import SystemLibrary

@testable import TerminalUI
@testable import ViewerConsole
@testable import trace_viewer

/// The result of running the program.
struct RunResult {
  let code: ExitCode
  let out: String
  let error: String

  var lines: [String] {
    out.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
}

/// Runs the program in this process, with outputs in memory.
///
/// - Parameter directory: The directory to search for settings and sources, or an empty string for
///   none.
func run(
  _ arguments: String..., columns: Int? = nil, isTerminal: Bool = false,
  environment: [String: String] = ["LANG": "C.UTF-8"], directory: String = ""
) -> RunResult {
  run(
    arguments, columns: columns, isTerminal: isTerminal, environment: environment,
    directory: directory)
}

/// Runs the program with an array of arguments.
func run(
  _ arguments: [String], columns: Int? = nil, isTerminal: Bool = false,
  environment: [String: String] = ["LANG": "C.UTF-8"], directory: String = ""
) -> RunResult {
  let console = Console(
    out: Console.Stream(
      output: Output(descriptor: nil, isTerminal: isTerminal), isTerminal: isTerminal),
    error: Console.Stream(
      output: Output(descriptor: nil, isTerminal: isTerminal), isTerminal: isTerminal),
    environment: Environment(environment), terminalColumns: columns,
    fileExists: { access($0, F_OK) == 0 }, directory: directory)
  let code = Program.run(arguments, console)
  return RunResult(code: code, out: console.out.output.text, error: console.error.output.text)
}
