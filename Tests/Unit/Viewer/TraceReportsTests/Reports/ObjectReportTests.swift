import TestSupport
import Testing

@testable import TraceReports
@testable import ViewerConsole

/// Leaked objects aren't subscriptions: they don't have lanes, lives or elements.
@Suite("Reports of leaked objects")
struct ObjectReportTests {
  private static let wrong = [
    "0 elements", "elements", "since 0 ns", "lasted 0 ns", "still active", "suspected leak", "#1",
  ]

  @Test(
    "No check format uses the words of subscriptions for leaked objects",
    arguments: [CheckFormat.text, .github, .gitlab, .markdown, .junit, .dot])
  func checkWords(format: CheckFormat) throws {
    let text = try writeCheck(format, ofText: SampleLog.objects)
    // Explanations of rules and properties of logs are about both.
    let words = text.replacing(#"<property name="subscriptions" value="0"/>"#, with: "")
    for wrong in Self.wrong + ["subscription"] {
      #expect(!words.contains(wrong), "\(format): \(wrong)")
    }
    #expect(text.contains("a cycle keeps 13 objects alive"))
  }

  @Test(
    "No report uses the words of subscriptions for leaked objects",
    arguments: [ReportFormat.text, .markdown])
  func reportWords(format: ReportFormat) throws {
    let text = try writeReport(format, of: SampleLog.objects, columns: 200).out
    for wrong in Self.wrong + ["subscription", "Subscription", "LANE", "TIMELINE", "Lanes"] {
      #expect(!text.contains(wrong), "\(format): \(wrong)")
    }
    #expect(text.contains("113,192 bytes searched"))
    #expect(text.contains("22 leaked objects (968 bytes)"))
    #expect(text.contains("kept alive by it: 12 Item (480 bytes), 1 memory (136 bytes)"))
    #expect(text.contains("on the cycles: 3 Row (72 bytes), 3 Table (120 bytes)"))
  }

  @Test("A check as Markdown lists the objects of each finding")
  func markdown() throws {
    let text = try writeCheck(.markdown, ofText: SampleLog.objects)
    #expect(text.contains("| Finding | Id | Object | Where | What |"))
    #expect(text.contains("- kept alive by it: 12 Item (480 bytes), 1 memory (136 bytes)"))
    #expect(text.contains("What leaks with Collage:\n\n- without a holder: 1 Collage (24 bytes)"))
  }

  @Test("The totals of GitHub's annotations don't count objects as subscriptions")
  func totals() throws {
    let text = try writeCheck(.github, ofText: SampleLog.objects)
    #expect(text.contains("3 findings: 2 retain cycles of objects, 1 unreachable"))
    let leak = try writeCheck(.github, ofText: SampleLog.leak)
    #expect(leak.contains("1 finding: 1 undisposed subscription"))
  }

  @Test("The JSON of reports and of checks has the leaked objects by class")
  func json() throws {
    let report = try writeReport(.json, of: SampleLog.objects).out
    for text in [report, try writeCheck(.json, ofText: SampleLog.objects)] {
      #expect(text.contains(#"{"class": "Item", "count": 12, "bytes": 480}"#))
      #expect(text.contains(#"{"class": "Table", "count": 3, "bytes": 120}"#))
      #expect(text.contains(#""searched": 113192"#))
      #expect(text.contains(#""leaked": {"objects": 22, "bytes": 968}"#))
      #expect(text.contains(#""subscriptions": 0"#))
    }
    #expect(report.contains(#""allSubscriptions": 0, "findings": 3"#))
    #expect(report.contains("\"lanes\": []") && report.contains("\"subscriptions\": []"))
  }

  @Test("The same mistake in another process is counted")
  func processes() throws {
    let other = SampleLog.objects.replacing("9f0c2d4e", with: "1f0c2d4e")
    let logs = [TemporaryFile(SampleLog.objects), TemporaryFile(other)]
    let text = try writeCheck(.text, of: logs.map(\.path)).out
    let sentence = "a cycle keeps 13 objects alive, which nothing else leads to: 656 bytes"
    #expect(text.contains(sentence + ", and 1 more"))
  }
}
