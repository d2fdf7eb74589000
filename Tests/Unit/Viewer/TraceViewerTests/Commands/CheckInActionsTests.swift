import TestSupport
import Testing

@testable import ViewerConsole

@Suite("trace-viewer check in GitHub Actions")
struct CheckInActionsTests {
  private let directory = TemporaryDirectory(["summary.md": "before\n"])
  private let log = TemporaryFile(SampleLog.leak)

  private func check(_ options: String..., summary: String? = nil) -> RunResult {
    var environment = ["LANG": "C.UTF-8", "GITHUB_ACTIONS": "true"]
    environment["GITHUB_STEP_SUMMARY"] = summary ?? directory.path + "/summary.md"
    return run(["check"] + options + [log.path], environment: environment)
  }

  @Test("A check in GitHub Actions prints annotations after the text and extends the job summary")
  func annotations() {
    let plain = run("check", log.path).out
    let result = check()
    #expect(result.code == .findings)
    let parts = result.out.split(separator: "::endgroup::\n").map(String.init)
    #expect(parts.count == 2 && plain.hasPrefix("FINDINGS\n") && !parts[1].contains("\n\n"))
    let text = parts.joined(separator: "\n").dropFirst("::group::".count)
    #expect(text == plain + run("check", "-f", "github", log.path).out)
    #expect(
      directory.text("summary.md") == "before\n" + run("check", "-f", "markdown", log.path).out)
  }

  @Test("Annotations aren't added to a format for other programs")
  func formats() {
    #expect(check("-f", "json").out == run("check", "-f", "json", log.path).out)
    #expect(check("-f", "github").out == run("check", "-f", "github", log.path).out)
    #expect(directory.text("summary.md")?.contains("trace-viewer") == true)
  }

  @Test("A job summary that can't be written is only a warning")
  func unwritable() {
    for path in ["/nonexistent/summary", "/"] {
      let result = check(summary: path)
      #expect(result.code == .findings)
      #expect(result.error.hasPrefix("Warning: \(path): The job summary cannot be written: "))
    }
  }

  @Test("A job summary never exceeds the size limit of GitHub")
  func longSummary() {
    let before = String(repeating: "x", count: (1 << 20) - 100)
    directory.write(before, to: "summary.md")
    let result = check()
    #expect(result.code == .findings)
    #expect(result.error.contains("it would exceed 1 MiB"))
    #expect(directory.text("summary.md") == before)
  }

  @Test("A check outside GitHub Actions ignores the job summary")
  func elsewhere() {
    let path = directory.path + "/summary.md"
    let environment = ["LANG": "C.UTF-8", "GITHUB_STEP_SUMMARY": path]
    #expect(run("check", log.path, environment: environment).out == run("check", log.path).out)
    #expect(directory.text("summary.md") == "before\n")
  }
}
