import SystemLibrary
import TestSupport
import Testing

@testable import TerminalUI
@testable import ViewerConsole
@testable import trace_viewer

@Suite("Messages about log files", .ownThread)
struct OpenedLogsTests {
  @Test("Many files that repeat a log are reported in five lines and a summary")
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

  @Test("A few files that repeat a log are reported in one line each")
  func few() {
    let file = TemporaryFile(SampleLog.clean)
    let result = run(["report"] + Array(repeating: file.path, count: 6))
    #expect(result.error.split(separator: "\n").count == 5)
    let strict = run(["report", "--strict"] + Array(repeating: file.path, count: 8))
    #expect(strict.error.contains("Error: 2 more files: this log was already read"))
    #expect(strict.code == .notALog)
  }

  @Test(
    "A command that reads a log doesn't accept a terminal as standard input",
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

  @Test("A message about a compressed file names the compression")
  func foreign() {
    let file = TemporaryFile(bytes: [0x42, 0x5A, 0x68, 0x39])
    let result = run("check", file.path)
    #expect(result.error.contains("compressed with bzip2"))
    #expect(result.code == .notALog)
  }

  #if os(Linux)
    @Test("Messages show a file name that isn't UTF-8 in printable characters")
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
