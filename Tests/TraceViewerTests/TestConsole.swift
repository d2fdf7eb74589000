import ReactiveTrace
import SystemLibrary
import TestSupport

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceReports
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

/// Returns the lines of a report about a log in memory.
func report(_ text: String, width: Int, glyphs: Glyphs = .unicode) throws -> [String] {
  let file = LogSource(name: "run.jsonl", bytes: Array(text.utf8))
  let log = try LogAnalysis.read(file)
  let page = Page(width: width, glyphs: glyphs)
  return try LogReport(LogExcerpt(log), Verdict(log), page: page).lines(page)
    .map { $0.render(color: false, setsColumn: false) }
}

/// A file that is removed when the test ends.
final class TemporaryFile {
  let path: String

  convenience init(_ text: String) {
    self.init(bytes: Array(text.utf8))
  }

  init(bytes: [UInt8]) {
    var template = Array((TemporaryRoot.path + "/XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    path = template.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) ?? "" }
    bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count <= 0 { break }
        written += count
      }
    }
    close(descriptor)
  }

  /// The contents of the file.
  var text: String {
    guard let file = try? LogSource(path: path) else { return "" }
    return String(
      decoding: file.bytes(at: .init(line: 1, offset: 0, length: file.size)), as: UTF8.self)
  }

  deinit {
    unlink(path)
  }
}
