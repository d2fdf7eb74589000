import SystemLibrary
import TestSupport
import Testing

@testable import ViewerConsole

@Suite("Reports in files", .ownThread)
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
    "A report in a file replaces its contents and equals standard output, in every format",
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

  @Test("A report in a file doesn't have colors unless they are requested")
  func color() {
    let log = TemporaryFile(SampleLog.leak)
    let file = TemporaryFile("")
    _ = run("report", "-o", file.path, log.path, isTerminal: true)
    #expect(!text(of: file).contains("\u{1B}"))
    _ = run("report", "-o", file.path, "--color=always", log.path)
    #expect(text(of: file).contains("\u{1B}"))
  }

  @Test("A report never overwrites the log, even by another path")
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
    "A command never overwrites the file that is standard input or standard output",
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
    "A command refuses to append its output to the log it reads",
    arguments: [
      "check LOG", "check -f json -", "marbles LOG", "diff LOG LOG", "replay --plain LOG",
    ]
  )
  func standardOutput(command: String) throws {
    let log = TemporaryFile(SampleLog.leak)
    let words = command.replacing("LOG", with: log.path)
    #expect(try BuiltProgram.run("\(words) 2>/dev/null < \(log.path) >> \(log.path)") == "64\n")
    #expect(text(of: log) == SampleLog.leak)
  }

  @Test(
    "An error about a file that can't be written contains the path and the reason",
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
