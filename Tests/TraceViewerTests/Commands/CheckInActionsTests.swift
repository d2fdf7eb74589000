import TestSupport
import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerBase

@Suite("check in GitHub Actions")
struct CheckInActionsTests {
  private let directory = TemporaryDirectory(["summary.md": "before\n"])
  private let log = TemporaryFile(SampleLog.leak)

  private func check(_ options: String..., summary: String? = nil) -> RunResult {
    var environment = ["LANG": "C.UTF-8", "GITHUB_ACTIONS": "true"]
    environment["GITHUB_STEP_SUMMARY"] = summary ?? directory.path + "/summary.md"
    return run(["check"] + options + [log.path], environment: environment)
  }

  @Test("annotates after the text, and adds to the summary")
  func annotations() {
    let plain = run("check", log.path).out
    let result = check()
    #expect(result.code == .findings)
    #expect(result.out == plain + run("check", "-f", "github", log.path).out)
    #expect(
      directory.text("summary.md") == "before\n" + run("check", "-f", "markdown", log.path).out)
  }

  @Test("adds nothing to what another program reads")
  func formats() {
    #expect(check("-f", "json").out == run("check", "-f", "json", log.path).out)
    #expect(check("-f", "github").out == run("check", "-f", "github", log.path).out)
    #expect(directory.text("summary.md")?.contains("trace-viewer") == true)
  }

  @Test("warns of a summary that cannot be written, and fails for nothing of that")
  func unwritable() {
    for path in ["/nonexistent/summary", "/"] {
      let result = check(summary: path)
      #expect(result.code == .findings)
      #expect(
        result.error.hasPrefix("Warning: \(path): The job summary cannot be written: "))
    }
  }

  @Test("never makes the summary longer than GitHub takes")
  func longSummary() {
    let before = String(repeating: "x", count: (1 << 20) - 100)
    directory.write(before, to: "summary.md")
    let result = check()
    #expect(result.code == .findings)
    #expect(result.error.contains("it would exceed 1 MiB"))
    #expect(directory.text("summary.md") == before)
  }

  @Test("does nothing of it elsewhere")
  func elsewhere() {
    let path = directory.path + "/summary.md"
    let environment = ["LANG": "C.UTF-8", "GITHUB_STEP_SUMMARY": path]
    #expect(run("check", log.path, environment: environment).out == run("check", log.path).out)
    #expect(directory.text("summary.md") == "before\n")
  }
}
