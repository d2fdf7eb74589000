import SystemLibrary
import TestSupport
import Testing
import ViewerTestSupport

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import ViewerConsole
@testable import trace_viewer

@Suite("trace-viewer export")
struct ExportCommandTests {
  private let log = TemporaryFile(ExportSamples.sample)

  /// Returns the event and the lane of each row of a CSV export.
  private func rows(_ arguments: String...) -> [String] {
    let result = run(["export", "--to=csv", log.path] + arguments)
    #expect(result.code == .clean)
    return result.out.split(separator: "\r\n").dropFirst().map {
      let fields = $0.split(separator: ",", omittingEmptySubsequences: false)
      return "\(fields[2]) \(fields[4])"
    }
  }

  @Test("An export uses Perfetto's format by default and goes to a file or a pipe")
  func formats() {
    let file = TemporaryFile("what was there before, and is longer than nothing")
    #expect(run("export", log.path, "-o", file.path).code == .clean)
    let bytes = file.bytes
    #expect(PerfettoTrace(bytes)?.tracks.count == 4)
    let piped = run("export", "--to=perfetto", log.path)
    #expect(piped.code == .clean)
    #expect(piped.out == String(decoding: bytes, as: UTF8.self))
    #expect(run("export", "--to=perfetto", log.path, "-o", "-").out == piped.out)
  }

  @Test("export doesn't write binary data to a terminal, but writes text formats")
  func terminal() {
    let result = run("export", log.path, isTerminal: true)
    #expect(result.code == .usage)
    #expect(result.out.isEmpty)
    #expect(
      result.error.contains(
        "'--to=perfetto' writes binary data, which a terminal cannot show. Name a file with '-o'.\n"
      ))
    #expect(run("export", "--to=csv", log.path, isTerminal: true).code == .clean)
  }

  @Test("An export never overwrites the log, even by way of a link")
  func ownInput() {
    let link = log.path + ".link"
    symlink(log.path, link)
    defer { unlink(link) }
    for path in [log.path, link] {
      let result = run("export", log.path, "--to=csv", "-o", path)
      #expect(result.code == .usage)
      #expect(result.error.contains("is one of the logs to read"))
    }
    #expect(log.bytes == Array(ExportSamples.sample.utf8))
  }

  @Test(
    "An export to a file that can't be written is an error",
    .enabled(if: access("/dev/full", W_OK) == 0))
  func unwritable() {
    let missing = run("export", "--to=csv", log.path, "-o", "/nonexistent/a.csv")
    #expect(missing.code == .cannotWrite)
    #expect(
      missing.error
        == "Error: /nonexistent/a.csv: The file cannot be written: No such file or directory.\n")
    let full = run("export", "--to=otlp", log.path, "-o", "/dev/full")
    #expect(full.code == .cannotWrite)
    #expect(full.error.contains("/dev/full: The file cannot be written: No space left on device."))
  }

  @Test("An unreadable log is reported, and the other logs are exported")
  func unreadable() {
    #expect(run("export", "--to=csv", "/nonexistent/a").code == .cannotOpen)
    let result = run("export", "--to=csv", "/nonexistent/a", log.path)
    #expect(result.code == .cannotOpen)
    #expect(result.out.contains("results"))
    let damaged = TemporaryFile(ExportSamples.sample + "no record\n")
    #expect(run("export", "--to=csv", damaged.path).code == .clean)
    #expect(run("export", "--to=csv", "--strict", damaged.path).code == .notALog)
  }

  @Test("An export can be limited to lanes or a scope")
  func selections() {
    let others = ["trace ", "thread ", "scope-begin ", "mark ", "lost ", "scope-end ", "end "]
    #expect(
      rows("--lane=res*").filter { !others.contains($0) } == ["subscribe results", "next results"])
    let request = ["subscribe request", "next request", "failed request"]
    #expect(rows("--scope=launch").filter { !others.contains($0) } == request)
    #expect(rows("--scope=1").filter { !others.contains($0) } == request)
    #expect(rows("--lane=results", "--lane=request") == rows())
    let none = run("export", "--to=csv", log.path, "--lane=reqest.*")
    #expect(none.code == .usage && none.out.isEmpty)
    #expect(none.error.contains("Did you mean 'request'?"))
    let scope = run("export", "--to=csv", log.path, "--scope=nope")
    #expect(scope.code == .usage)
    #expect(scope.error.contains("The scopes are: launch."))
  }

  @Test("An export can be limited to a time range given by times or marks")
  func window() {
    #expect(rows("--from=2us", "--until=3.2us") == ["next results", "subscribe request"])
    #expect(rows("--from=typed") == ["mark ", "lost ", "failed request", "scope-end ", "end "])
    #expect(rows("--until=typed", "--from=3.5us") == ["next request", "mark "])
    let unknown = run("export", "--to=csv", log.path, "--from=tuped")
    #expect(unknown.code == .usage)
    #expect(
      unknown.error.contains(
        """
        Invalid value 'tuped' for '--from'. It must be a time, such as 1.5s or 300ms, or the name \
        of a mark. Did you mean 'typed'? The marks are: typed.
        """))
  }

  @Test("An export keeps the whole lifetime of a subscription but only elements in the time range")
  func livesInWindow() throws {
    func events(_ option: String) throws -> [String] {
      let file = TemporaryFile("")
      #expect(run("export", log.path, option, "-o", file.path).code == .clean)
      let trace = try #require(PerfettoTrace(file.bytes))
      return trace.events.map { "\($0.type) \($0.time) \($0.name)" }
    }
    let early = try events("--until=2us")
    #expect(early.contains("begin 1000 results"))
    #expect(!early.contains { $0.contains("request") || $0.hasSuffix(" next") })
    let late = try events("--from=3.9us")
    #expect(late.contains("begin 3000 request"))
    #expect(!late.contains { $0.hasSuffix(" next") })
  }

  @Test("An export has the findings that check reports with the same settings")
  func findings() {
    let log = TemporaryFile(SampleLog.leak)
    #expect(run("check", log.path).out.contains("9tb1pb"))
    for format in ["otlp", "perfetto"] {
      let export = ["export", "--to=\(format)", log.path]
      #expect(run(export).out.contains("undisposed 9tb1pb"))
      #expect(!run(export + ["--rule=undisposed=off"]).out.contains("9tb1pb"))
      #expect(!run(export + ["--allow=request"]).out.contains("9tb1pb"))
      #expect(!run(export + ["--lane=results"]).out.contains("9tb1pb"))
    }
  }
}

@Suite("An export from the interactive view")
struct InteractiveExportTests {
  @Test("An export from the interactive view has the findings of the settings of the view")
  func findings() throws {
    let name = "a.otlp.json"
    let directory = TemporaryDirectory(["log": SampleLog.leak])
    let growing = GrowingLog(paths: [directory.path + "/log"], follows: false)
    var snapshot = LogSnapshot.empty
    while let next = try growing.advance() { snapshot = next }
    let actions = ExternalActions(Environment([:]), directory: "", inputs: [])
    func export(_ settings: RuleSettings) -> String? {
      let log = ViewedLog(snapshot, settings, Arrangement())
      let notice = actions.export(log, .shown(nil), to: directory.path + "/" + name)
      #expect(!notice.isError)
      return directory.text(name)
    }
    #expect(export(RuleSettings())?.contains("undisposed 9tb1pb") == true)
    var settings = RuleSettings()
    settings.levels["undisposed"] = .off
    #expect(export(settings)?.contains("9tb1pb") == false)
  }
}
