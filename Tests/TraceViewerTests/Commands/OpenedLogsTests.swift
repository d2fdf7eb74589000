import ReactiveTrace
import SystemLibrary
import TestSupport
import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerBase
@testable import trace_viewer

@Suite("What is said of the files of logs", .ownThread)
struct OpenedLogsTests {
  @Test("is a line for each of a few files that repeat a log, and one for all others")
  func repeated() {
    let file = TemporaryFile(SampleLog.clean)
    let result = run(["report"] + Array(repeating: file.path, count: 1000))
    let lines = result.error.split(separator: "\n")
    let sentence = "this log was already read; the repetition is ignored"
    #expect(lines.count == 6)
    #expect(lines[0] == "Warning: \(file.path):1: \(sentence)")
    #expect(lines[5] == "Warning: 994 more files: \(sentence)")
    #expect(result.code == .clean)
  }

  @Test("is a line a file where there are few")
  func few() {
    let file = TemporaryFile(SampleLog.clean)
    let result = run(["report"] + Array(repeating: file.path, count: 6))
    #expect(result.error.split(separator: "\n").count == 5)
    let strict = run(["report", "--strict"] + Array(repeating: file.path, count: 8))
    #expect(strict.error.contains("Error: 2 more files: this log was already read"))
    #expect(strict.code == .notALog)
  }

  @Test(
    "is that a terminal is no log, for every command that reads one",
    arguments: ["report", "replay", "marbles", "check", "export", "repair", ""])
  func terminal(command: String) {
    let out = Console.Stream(output: Output(descriptor: nil), isTerminal: true)
    let error = Console.Stream(output: Output(descriptor: nil), isTerminal: true)
    var console = Console(
      out: out, error: error, environment: Environment(["TERM": "xterm"]), terminalColumns: 80,
      fileExists: { _ in false }, directory: "")
    console.inputIsTerminal = true
    let more = command == "repair" ? ["-o", "/nonexistent/x"] : []
    let code = Program.run((command.isEmpty ? [] : [command]) + ["-"] + more, console)
    #expect(code == .usage)
    #expect(error.output.text.contains("'-' means standard input, which is a terminal."))
  }

  @Test("is the name of what a file is that has to be unpacked first")
  func foreign() {
    let file = TemporaryFile(bytes: [0x28, 0xB5, 0x2F, 0xFD, 0, 0, 0])
    let result = run("check", file.path)
    #expect(result.error.contains("compressed with zstd"))
    #expect(result.code == .notALog)
  }

  #if os(Linux)
    @Test("has names that are no UTF-8 in characters that can be printed")
    func rawNames() throws {
      let directory = TemporaryDirectory()
      let raw = RawPath.make(Array(directory.path.utf8) + [0x2F, 0x6C, 0xE9])
      let name = RawPath.bytes(raw).map { CChar(bitPattern: $0) } + [0]
      let file = try #require(fopen(name, "w"))
      fputs(SampleLog.leak, file)
      fclose(file)
      defer { unlink(name) }
      let result = run("check", "-f", "json", raw)
      #expect(result.code == .findings)
      #expect(result.out.contains(#"\\xE9"#))
      let copy = directory.path + "/copy.jsonl"
      #expect(run("repair", raw, "-o", copy).code == .clean)
      let target = RawPath.make(RawPath.bytes(raw) + [0xFF])
      #expect(run("repair", copy, "-o", target).code == .clean)
      #expect(unlink(RawPath.bytes(target).map { CChar(bitPattern: $0) } + [0]) == 0)
      let unknown = run(RawPath.make([0x6C, 0xE9]))
      #expect(unknown.error.hasPrefix(#"Error: l\xE9: "#))
      let command = "check \"$(printf '\(directory.path)/l\\351')\" | head -c 0"
      #expect(try BuiltProgram.run(command) == "0\n")
    }
  #endif
}
