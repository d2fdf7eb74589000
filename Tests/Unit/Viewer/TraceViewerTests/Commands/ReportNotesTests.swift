import TestSupport
import Testing

@testable import TraceReports
@testable import ViewerConsole
@testable import trace_viewer

@Suite("Notes in reports", .ownThread)
struct ReportNotesTests {
  private func folder(trace: String = "9f0c2d4e8b7a61530f1e2d3c4b5a6978") -> TemporaryDirectory {
    let directory = TemporaryDirectory(["a.jsonl": SampleLog.leak])
    var view = SavedView(trace: trace)
    view.notes = [
      .init(time: 300_000_000, text: "first <b>look</b> [here](x)"),
      .init(time: 950_000_000, text: "end"),
    ]
    #expect(ViewFile(logs: [directory.path + "/a.jsonl"])?.write(view) == .done)
    return directory
  }

  @Test("Markdown and HTML reports contain the notes next to the log, and other formats do not")
  func notes() {
    let directory = folder()
    let path = directory.path + "/a.jsonl"
    let markdown = run("report", path, "-f", "markdown").out
    #expect(markdown.contains("## Notes\n\n- 300 ms: first &lt;b&gt;look"))
    #expect(markdown.contains("- 950 ms: end\n"))
    let html = run("report", path, "-f", "html").out
    #expect(html.contains("first &lt;b&gt;look&lt;/b&gt; [here](x)"))
    #expect(html.contains(#"<h2 id="notes-title">"#))
    for format in ["text", "json"] {
      #expect(!run("report", path, "-f", format).out.contains("look"))
    }
  }

  @Test("A report leaves out notes on request, of another log, and of other times")
  func none() {
    let directory = folder()
    let log = directory.path + "/a.jsonl"
    #expect(!run("report", log, "-f", "markdown", "--no-view-file").out.contains("## Notes"))
    let later = run("report", log, "-f", "markdown", "--from", "800ms").out
    #expect(later.contains("950 ms: end") && !later.contains("look"))
    let other = folder(trace: "1")
    let foreign = run("report", other.path + "/a.jsonl", "-f", "markdown")
    #expect(!foreign.out.contains("## Notes"))
    #expect(foreign.error.isEmpty)
  }

  @Test("A damaged file is reported, but the report is written")
  func damaged() {
    let directory = TemporaryDirectory([
      "a.jsonl": SampleLog.leak, "a.jsonl.view.json": "{",
    ])
    let path = directory.path + "/a.jsonl"
    let result = run("report", path, "-f", "markdown")
    #expect(result.code == .clean)
    #expect(result.out.contains("# Trace report"))
    #expect(result.error.contains("a.jsonl.view.json: The notes are missing. "))
    #expect(run("report", path).error.isEmpty)
  }
}
