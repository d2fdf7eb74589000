import SystemLibrary
import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import trace_viewer

@Suite("An export of a log that changed")
struct ChangedLogTests {
  private func viewed(_ path: String) throws -> ViewedLog {
    let growing = GrowingLog(paths: [path], follows: false)
    var snapshot = LogSnapshot.empty
    while let next = try growing.advance() { snapshot = next }
    return ViewedLog(snapshot, RuleSettings(), Arrangement())
  }

  @Test(
    "An export of a truncated log fails and doesn't write a file, in every format",
    arguments: ["a.csv", "a.pftrace", "a.otlp.json"])
  func cut(name: String) throws {
    let directory = TemporaryDirectory(["log": SampleLog.leak])
    let log = try viewed(directory.path + "/log")
    let passing = ExternalActions(Environment([:]), directory: "", inputs: [])
    let target = directory.path + "/" + name
    truncate(directory.path + "/log", off_t(SampleLog.header.utf8.count + 1))
    let notice = passing.export(log, .shown(nil), to: target)
    #expect(notice.isError)
    #expect(notice.text.contains("The file was cut short or rewritten after it was read"))
    #expect(directory.text(name) == nil)
    #expect(directory.text(name + ".part") == nil)
  }

  @Test("An export fails if only records in the middle are missing")
  func fewer() throws {
    let directory = TemporaryDirectory(["log": SampleLog.leak])
    let log = try viewed(directory.path + "/log")
    let passing = ExternalActions(Environment([:]), directory: "", inputs: [])
    let end = #"{"t":1000000000,"event":"end""#
    let text = SampleLog.leak.replacing(
      #""event":"next""#, with: #""event":"nope""#
    ).replacing(end, with: String(repeating: "\n", count: end.utf8.count))
    let file = open(directory.path + "/log", O_WRONLY)
    try #require(file >= 0)
    _ = pwrite(file, Array(text.utf8), text.utf8.count, 0)
    close(file)
    let notice = passing.export(log, .shown(nil), to: directory.path + "/a.csv")
    #expect(notice.isError)
  }

  @Test("An export is complete if only the blank space after the last record was removed")
  func padding() throws {
    let directory = TemporaryDirectory([
      "log": SampleLog.leak + String(repeating: "\n", count: 5000)
    ])
    let log = try viewed(directory.path + "/log")
    let passing = ExternalActions(Environment([:]), directory: "", inputs: [])
    truncate(directory.path + "/log", off_t(SampleLog.leak.utf8.count))
    let notice = passing.export(log, .shown(nil), to: directory.path + "/a.csv")
    #expect(notice == Notice(text: "4 subscriptions exported to \(directory.path)/a.csv"))
  }
}
