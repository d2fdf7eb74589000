import TestSupport
import Testing
import ViewerTestSupport

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("FindingMarkdown")
struct FindingMarkdownTests {
  private func copied(_ keys: String, _ log: String) throws -> String? {
    let stage = try ViewerStage(log, typing: keys + "y")
    guard case .copy(let text) = stage.effects.last else { return nil }
    return text
  }

  @Test("A copied finding has its rule, sentence, lane, places, cycle and remedy")
  func whole() throws {
    let text = try #require(try copied("4", CauseLogs.leak))
    let group = try ViewerStage(CauseLogs.leak).viewer.viewed.groups[0]
    let first = try #require(group.findings.first)
    let retention = try #require(first.retention)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("**\(group.severity.rawValue)\\[\(first.rule)\\]** `\(group.id)`: "))
    #expect(text.contains("- Lane: `\(group.site.lane)`, `#"))
    #expect(text.contains("- Made at: `\(group.site.source ?? "?")`"))
    if let observed = group.observed?.source {
      #expect(text.contains("- Observed at: `\(observed)`"))
    }
    #expect(text.contains("- What to do: "))
    let path = lines.drop { !$0.hasPrefix("What keeps ") }
    #expect(path.count == 1 + retention.steps.count)
    #expect(lines.contains { $0.contains("&lt;-") } == (retention.breakIndex != nil))
    #expect(text.hasSuffix("\n"))
  }

  @Test("The pane of details copies the finding, unless a step or another line is selected")
  func detail() throws {
    let finding = try copied("4", CauseLogs.leak)
    #expect(try copied("!3", CauseLogs.leak) == finding)
    // The pane of statistics doesn't show findings, so the key leads to the pane that does.
    #expect(try copied("5!", CauseLogs.leak) == finding)
    let other = try copied("jj3", SampleLog.clean)
    #expect(other?.hasPrefix("#") == true)
  }

  @Test("The notice says how many lines were copied")
  func notice() throws {
    let stage = try ViewerStage(SampleLog.leak, columns: 120, typing: "4y")
    #expect(stage.footer.hasPrefix("copied 4 lines of Markdown: **error"))
  }

  @Test("Text of the log has no meaning in Markdown")
  func hostile() throws {
    for keys in ["4", "!3"] {
      let text = try #require(try copied(keys, CauseLogs.hostile))
      #expect(!HostileLog.isObeyed(text.replacing("\n", with: " ")))
      for line in text.split(separator: "\n") {
        #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(line)")
      }
    }
  }
}
