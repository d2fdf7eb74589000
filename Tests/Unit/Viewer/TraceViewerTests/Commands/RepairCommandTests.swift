import Foundation
import SystemLibrary
import TestSupport
import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import ViewerConsole
@testable import trace_viewer

@Suite("trace-viewer repair", .ownThread)
struct RepairCommandTests {
  @Test("A repair never overwrites the log, and keeps the output if the input isn't a log")
  func refusals() {
    let log = TemporaryFile(SampleLog.clean)
    let same = run("repair", log.path, "-o", log.path)
    #expect(same.code == .usage)
    #expect(same.error.contains("'\(log.path)' is one of the logs to read"))
    let link = log.path + ".link"
    #expect(symlink(log.path, link) == 0)
    defer { unlink(link) }
    #expect(run("repair", link, "-o", log.path).code == .usage)
    #expect(run("repair", log.path, "-o", link).code == .usage)
    #expect(log.text == SampleLog.clean)
    #expect(run("repair", log.path).code == .usage)

    let kept = TemporaryFile("precious")
    let none = TemporaryFile("nothing\n")
    #expect(run("repair", none.path, "-o", kept.path).code == .notALog)
    #expect(run("repair", "/nonexistent/a", "-o", kept.path).code == .cannotOpen)
    #expect(kept.text == "precious")
    let nowhere = run("repair", log.path, "-o", "/nonexistent/b")
    #expect(nowhere.code == .cannotWrite)
    #expect(nowhere.error.contains("/nonexistent/b: The file cannot be written: No such file"))
    let stream = run("repair", log.path, "-o", "-")
    #expect(stream.out == SampleLog.clean)
  }

  @Test("A repair of an empty further file makes an empty copy, but other empty files are errors")
  func unwrittenFile() throws {
    let log = try TemporaryLog()
    let target = log.folder + "/repaired.jsonl"
    for text in ["", "\n\n"] {
      for name in ["/a.part-2.jsonl", "/b.jsonl", "/b.part-2.jsonl"] {
        try text.write(toFile: log.folder + name, atomically: false, encoding: .utf8)
      }
      #expect(run("repair", log.folder + "/a.part-2.jsonl", "-o", target).code == .notALog)
      #expect(run("repair", log.folder + "/b.jsonl", "-o", target).code == .notALog)
      let result = run("repair", log.folder + "/b.part-2.jsonl", "-o", target)
      #expect(result.code == .clean)
      #expect(result.error.contains("0 records written."))
      #expect(try log.text(target) == "")
    }
  }

  @Test("A repair of a log that was truncated after it was read is an error")
  func changed() throws {
    let log = TemporaryFile(SampleLog.leak)
    let file = try LogSource(path: log.path)
    let analysis = try LogAnalysis.read(file)
    try #require(truncate(log.path, off_t(SampleLog.header.utf8.count + 1)) == 0)
    let said = Output(descriptor: nil)
    let console = Console(
      out: .init(output: Output(descriptor: nil), isTerminal: false),
      error: .init(output: said, isTerminal: false), environment: Environment(),
      terminalColumns: nil, fileExists: { _ in true }, directory: "")
    let error = #expect(throws: LogError.self) {
      try RepairCommand.repair(file, analysis, to: "-", console)
    }
    #expect(error?.sentence.hasPrefix("The file was cut short or rewritten") == true)
    #expect(said.text.isEmpty)
  }

  @Test("A repair reads a pipe and a compressed log, and reports a full disk")
  func process() throws {
    let log = TemporaryFile(SampleLog.died + "{\"t\":9")
    let (first, second) = (TemporaryFile(""), TemporaryFile(""))
    _ = run("repair", log.path, "-o", first.path)
    #expect(
      try BuiltProgram.run("repair - -o \(second.path) 2>&1", before: "gzip -c \(log.path) | ")
        .hasPrefix("Repaired: standard input:10: the last line is incomplete"))
    #expect(second.text == first.text)
    #expect(
      try BuiltProgram.run("repair - -o - 2>/dev/null", before: "cat \(log.path) | ") == first.text
        + "0\n")
    if access("/dev/full", W_OK) == 0 {
      let full = try BuiltProgram.run("repair \(log.path) -o /dev/full 2>&1")
      #expect(
        full.hasSuffix("/dev/full: The file cannot be written: No space left on device.\n74\n"))
    }
    if access("/dev/full", W_OK) == 0 {
      let full = try BuiltProgram.run("repair \(log.path) -o - 2>&1 >/dev/full")
      #expect(!full.contains("written."))
      #expect(full.hasSuffix("Standard output cannot be written: No space left on device.\n74\n"))
    }
    // Standard input and the output are the same file.
    #expect(try BuiltProgram.run("repair - -o \(log.path) 2>/dev/null < \(log.path)") == "64\n")
  }
}
