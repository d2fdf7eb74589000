import SystemLibrary
import TerminalTestSupport
import TestSupport
import Testing

/// The built program in a terminal that already contains text and has unusual settings.
final class ViewerTerminal {
  let terminal: PseudoTerminal
  /// The terminal settings before the program started.
  let before: TerminalAttributes
  /// The process of the shell, which the program replaces.
  let process: Int32

  /// The script that starts the program. The program is `"$0"`, followed by its arguments.
  enum Start {
    static let alone = #"exec "$0" "$@""#
    /// Starts the program in the foreground of a shell that reports when it stops or ends. The
    /// program has its own process ID.
    static let asJob = #"""
      set -m
      sh -c 'echo "job $$"; exec "$0" "$@"' "$0" "$@"
      code=$?
      while kill -0 %1 2>/dev/null; do
        echo "back $code"
        read go
        fg >/dev/null
        code=$?
      done
      echo "over $code"
      """#
  }

  /// - Parameter showsLog: A Boolean value that indicates whether to wait until the whole bundled
  ///   log is visible.
  init(
    _ arguments: [String], start: String = Start.alone, environment: [String: String] = [:],
    columns: Int = 100, rows: Int = 30, savesView: Bool = false, showsLog: Bool = false
  ) throws {
    // Tests with logs of the package must leave nothing next to them.
    let arguments = arguments + (savesView ? [] : ["--no-view-file"])
    // Crash reports and core files are off unless a test wants them. Sanitizers must leave crashes
    // to the program.
    let crashes = ["segv", "sigbus", "sigill", "sigfpe", "sigtrap", "abort"]
    let sanitizer = crashes.map { "handle_\($0)=0" }.joined(separator: ":")
    var variables = [
      "SWIFT_BACKTRACE": "enable=no", "TSAN_OPTIONS": sanitizer,
      "ASAN_OPTIONS": sanitizer + ":detect_leaks=0",
    ]
    variables.merge(environment) { $1 }
    let script = "ulimit -c 0; stty erase '^H' -ixon; echo \"before $$.\"; read go\n" + start
    terminal = try PseudoTerminal(
      "/bin/sh", ["-c", script, BuiltProgram.path] + arguments, environment: variables,
      columns: columns,
      rows: rows)
    try #require(terminal.wait { $0.lines[0].hasSuffix(".") })
    before = terminal.attributes
    process = try #require(Int32(terminal.screen.lines[0].dropFirst(7).dropLast()))
    terminal.send("\n")
    if showsLog { #expect(waitForLog()) }
  }

  var screen: EmulatedScreen { terminal.screen }
  var lines: [String] { terminal.screen.lines }

  func send(_ text: String) { terminal.send(text) }
  func wait(for text: String) -> Bool { terminal.wait(for: text) }

  /// Sends keys and waits until the program ends.
  func end(with keys: String) -> ProcessEnding {
    send(keys)
    return terminal.waitForExit()
  }

  func wait(until isExpected: (EmulatedScreen) -> Bool) -> Bool { terminal.wait(until: isExpected) }

  /// Waits until the whole bundled log is visible.
  func waitForLog() -> Bool {
    terminal.wait { $0.isAlternate && $0.text.contains("83 records") && $0.text.contains("? help") }
  }

  /// Returns the process ID that a script of `Start.asJob` printed.
  func job() -> Int32? {
    let text = String(decoding: terminal.bytes, as: UTF8.self)
    let words = text.split(whereSeparator: { $0.isWhitespace })
    return words.firstIndex(of: "job").flatMap { words.dropFirst($0 + 1).first }.flatMap {
      Int32($0)
    }
  }

  /// Expects that the terminal's settings, modes, screen and cursor are restored.
  func expectRestored(_ more: [String] = [], sourceLocation: SourceLocation = #_sourceLocation) {
    let screen = terminal.screen
    #expect(terminal.attributes == before, sourceLocation: sourceLocation)
    #expect(!screen.isAlternate, sourceLocation: sourceLocation)
    #expect(screen.modes == [7, 25], sourceLocation: sourceLocation)
    #expect(screen.look == EmulatedLook(), sourceLocation: sourceLocation)
    #expect(screen.unknown == [], sourceLocation: sourceLocation)
    // The line feed was sent to the shell.
    let expected = ["before \(process).", ""] + more
    let blank = Array(repeating: "", count: max(0, screen.rows - expected.count))
    #expect(screen.lines == expected + blank, sourceLocation: sourceLocation)
    #expect(screen.cursor == .init(row: expected.count, column: 0), sourceLocation: sourceLocation)
  }
}

extension PseudoTerminal {
  /// Starts the built program next to the tests.
  convenience init(
    viewer arguments: String..., environment: [String: String] = [:], columns: Int = 80,
    rows: Int = 24
  ) throws {
    try self.init(
      BuiltProgram.path, arguments, environment: environment, columns: columns, rows: rows)
  }
}
