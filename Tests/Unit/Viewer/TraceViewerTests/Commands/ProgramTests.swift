import TestSupport
import Testing

@testable import TerminalUI
@testable import ViewerConsole
@testable import trace_viewer

@Suite("The program")
struct ProgramTests {
  @Test("Help goes to standard output if requested, and to standard error without arguments")
  func help() {
    let nothing = run()
    #expect(nothing.code == .usage)
    #expect(nothing.out.isEmpty)
    let asked = run("--help")
    #expect(asked.code == .clean)
    #expect(asked.error.isEmpty)
    #expect(nothing.error == asked.out)
    #expect(asked.lines.allSatisfy { DisplayWidth.columns(of: $0) <= 80 })
    #expect(run("help", "check").out == run("check", "--help").out)
    #expect(run("check", "-h").out.contains("trace-viewer check [OPTIONS] LOG..."))
    #expect(run("--version").out == "trace-viewer 0.1.0\n")
  }

  @Test("The help of the program fits any width", arguments: [20, 40, 60, 120])
  func helpWidth(width: Int) {
    let lines = run("help", columns: width).lines
    #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= width })
  }

  @Test("A usage error prints a message, the usage and where to find more")
  func usage() {
    let result = run("check", "--formt", "a")
    #expect(result.code == .usage)
    #expect(
      result.error == """
        Error: Unknown option '--formt'. Did you mean '--format'?
        Usage: trace-viewer check [OPTIONS] LOG...
          See 'trace-viewer check --help' for more information.

        """)
    for arguments in [["check"], ["report"], ["help", "nope"]] {
      let result = Program.run(arguments, Console.forgetful)
      #expect(result == .usage, "\(arguments)")
    }
  }

  @Test("A check of a clean log prints exactly one sentence")
  func clean() {
    let log = TemporaryFile(SampleLog.clean)
    let result = run("check", log.path)
    #expect(result.code == .clean)
    #expect(result.out == "no undisposed subscriptions\n")
    #expect(result.error.isEmpty)
    #expect(run("check", log.path, columns: 20).out == "no undisposed subscriptions\n")
  }

  @Test("A check of a log with a leak prints its place and its age")
  func leak() {
    let log = TemporaryFile(SampleLog.leak)
    let result = run("check", log.path)
    // A path that takes more than half of a line is cut in the middle.
    let file = DisplayWidth.cutMiddle(log.path, to: 50, ellipsis: "…")
    #expect(result.code == .findings)
    #expect(
      result.lines == [
        "FINDINGS",
        "error[undisposed]  9tb1pb  request  App/Model.swift:57  bind()",
        "  still active after 800 ms",
        "    #2 · since 200 ms · 1 element",
        "      made for #1 results (App/Model.swift:42)",
        "      \(file):6  next at 300 ms: [\"a\"]",
        """
            fix: Dispose it with its owner, as in .dispose(in: bag), or declare lifetime: .process.
        """,
        "",
        "1 finding: 1 undisposed subscription",
      ])
  }

  @Test("A check of the log of a process that died is inconclusive")
  func died() {
    let log = TemporaryFile(SampleLog.died)
    let result = run("check", log.path)
    #expect(result.code == .inconclusive)
    #expect(
      result.lines.last
        == "inconclusive: the process did not write the end of its log; 1 unproven finding: 1"
        + " subscription still active when the log stops")
    #expect(result.lines[1] == "unproven[undisposed]  9tb1pb  request  App/Model.swift:57  bind()")
  }

  @Test("The exit code ranks an unreadable log above a leak, and a leak above an inconclusive log")
  func several() {
    let clean = TemporaryFile(SampleLog.clean)
    let leak = TemporaryFile(SampleLog.ofAnother(SampleLog.leak, process: 2))
    let died = TemporaryFile(SampleLog.ofAnother(SampleLog.died, process: 3))
    let none = TemporaryFile("nothing\n")
    let again = run("check", clean.path, clean.path)
    #expect(again.code == .clean)
    #expect(again.error.contains("this log was already read; the repetition is ignored"))
    #expect(run("check", clean.path, died.path).code == .inconclusive)
    #expect(run("check", died.path, leak.path, clean.path).code == .findings)
    #expect(run("check", leak.path, none.path).code == .notALog)
    #expect(run("check", leak.path, "/nonexistent/a", none.path).code == .cannotOpen)
    let result = run("check", clean.path, leak.path)
    #expect(result.lines[3].contains("#2 of search-sample (2) · since "))
    #expect(result.lines.last == "2 logs: 1 finding: 1 undisposed subscription")
    #expect(
      run("check", clean.path, died.path).lines.last
        == "2 logs: inconclusive: \(died.path): the process did not write the end of its log;"
        + " 1 unproven finding: 1 subscription still active when the log stops")
  }

  @Test("An error about an unreadable file contains its path and the reason")
  func unreadable() {
    #expect(run("/nonexistent/a.jsonl").code == .cannotOpen)
    #expect(
      run("/nonexistent/a.jsonl").error
        == "Error: /nonexistent/a.jsonl: There is no such file. Check the path.\n")
    #expect(run("/").code == .cannotOpen)
    let empty = TemporaryFile("")
    #expect(run(empty.path).code == .notALog)
    #expect(run("check", empty.path).error.contains("The file is empty."))
    #if os(Linux)
      #expect(run("check", "/proc/self/status").error.contains("a file that the system makes"))
    #endif
    let newer = TemporaryFile(#"{"t":0,"event":"trace","version":2}"#)
    #expect(run(newer.path).code == .notALog)
    #expect(run(newer.path).error.contains("\(newer.path):1: The log has format version 2"))
  }

  @Test("Skipped lines cause a warning, and the other lines are used")
  func damage() {
    var lines = SampleLog.clean.split(separator: "\n").map(String.init)
    lines.insert("printed by the program", at: 3)
    let log = TemporaryFile(lines.joined(separator: "\n"))
    let result = run("check", log.path)
    #expect(result.code == .clean)
    #expect(result.error == "Warning: \(log.path):4: not a JSON object; 1 line skipped\n")
  }

  @Test("Standard output has colors only on a terminal or on request")
  func color() {
    let log = TemporaryFile(SampleLog.leak)
    let colored = "\u{1B}["
    #expect(!run(log.path).out.contains(colored))
    let terminal = ["TERM": "xterm", "LANG": "en_US.UTF-8"]
    #expect(run(log.path, isTerminal: true, environment: terminal).out.contains(colored))
    #expect(run(log.path, "--color=always").out.contains(colored))
    #expect(!run(log.path, "--color=never", isTerminal: true).out.contains(colored))
  }

  @Test("Output is ASCII only on request or if the locale requires it")
  func ascii() {
    let log = TemporaryFile(SampleLog.leak)
    #expect(run(log.path).out.utf8.contains { $0 >= 0x80 })
    #expect(run(log.path, "--ascii").out.utf8.allSatisfy { $0 < 0x80 })
    #expect(run(log.path, environment: ["LANG": "C"]).out.utf8.allSatisfy { $0 < 0x80 })
  }
}

extension Console {
  /// A console whose output is discarded.
  fileprivate static var forgetful: Console {
    Console(
      out: Stream(output: Output(descriptor: nil), isTerminal: false),
      error: Stream(output: Output(descriptor: nil), isTerminal: false),
      environment: Environment(), terminalColumns: nil, fileExists: { _ in false })
  }
}
