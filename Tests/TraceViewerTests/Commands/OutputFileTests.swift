import SystemLibrary
import TestSupport
import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerBase

@Suite("A report in a file", .ownThread)
struct OutputFileTests {
  private func text(of file: TemporaryFile) -> String {
    guard let stream = fopen(file.path, "r") else { return "" }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var byte = getc(stream)
    while byte != EOF {
      bytes.append(UInt8(truncatingIfNeeded: byte))
      byte = getc(stream)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "holds what standard output would, in every format, and nothing of what was there",
    arguments: ["text", "json", "markdown", "html"])
  func formats(format: String) {
    let log = TemporaryFile(SampleLog.leak)
    let file = TemporaryFile(String(repeating: "old ", count: 100_000))
    let printed = run("report", "-f", format, log.path)
    let written = run("report", "-f", format, "-o", file.path, log.path)
    #expect(written.code == .clean)
    #expect(written.out.isEmpty)
    #expect(text(of: file) == printed.out)
    #expect(run("report", "-f", format, "-o", "-", log.path).out == printed.out)
  }

  @Test("has no colour unless it is asked for")
  func color() {
    let log = TemporaryFile(SampleLog.leak)
    let file = TemporaryFile("")
    _ = run("report", "-o", file.path, log.path, isTerminal: true)
    #expect(!text(of: file).contains("\u{1B}"))
    _ = run("report", "-o", file.path, "--color=always", log.path)
    #expect(text(of: file).contains("\u{1B}"))
  }

  @Test("is never the log itself, by whatever name")
  func sameFile() {
    let log = TemporaryFile(SampleLog.leak)
    let name = log.path.split(separator: "/").last ?? ""
    let folder = TemporaryRoot.path.split(separator: "/").last ?? ""
    for path in [log.path, TemporaryRoot.path + "/../\(folder)/./\(name)"] {
      let result = run("report", "-f", "json", "-o", path, log.path)
      #expect(result.code == .usage)
      #expect(result.error.contains("is one of the logs to read"))
    }
    #expect(text(of: log) == SampleLog.leak)
  }

  @Test(
    "is never the file that standard input is read from, nor the one that standard output goes to",
    arguments: [
      "report -o LOG -", "export --to=csv -o LOG -", "check -o json:LOG -", "repair -o LOG -",
    ])
  func sameFileAsInput(command: String) throws {
    let log = TemporaryFile(SampleLog.leak)
    let words = command.replacing("LOG", with: log.path)
    #expect(try BuiltProgram.run("\(words) 2>/dev/null < \(log.path)") == "64\n")
    #expect(text(of: log) == SampleLog.leak)
    let toOutput = try BuiltProgram.run("export --to=csv \(log.path) 2>/dev/null >> \(log.path)")
    #expect(toOutput == "64\n")
    #expect(text(of: log) == SampleLog.leak)
  }

  @Test(
    "is never the log that standard output is added to, for commands that write nowhere else",
    arguments: [
      "check LOG", "check -f json -", "marbles LOG", "diff LOG LOG", "replay --plain LOG",
    ]
  )
  func standardOutput(command: String) throws {
    let log = TemporaryFile(SampleLog.leak)
    let words = command.replacing("LOG", with: log.path)
    #expect(
      try BuiltProgram.run("\(words) 2>/dev/null < \(log.path) >> \(log.path)") == "64\n")
    #expect(text(of: log) == SampleLog.leak)
  }

  @Test(
    "that cannot be written is named, with the reason",
    arguments: [
      ("/nonexistent/report", "No such file or directory"), ("/", "Is a directory"),
      ("/dev/full", "No space left on device"),
    ])
  func unwritable(path: String, reason: String) {
    guard path != "/dev/full" || access(path, W_OK) == 0 else { return }
    let log = TemporaryFile(SampleLog.leak)
    let result = run("report", "-f", "html", "-o", path, log.path)
    #expect(result.code == .cannotWrite)
    #expect(result.error == "Error: \(path): The file cannot be written: \(reason).\n")
  }
}
