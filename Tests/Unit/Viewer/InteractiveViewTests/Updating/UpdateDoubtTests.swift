import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis

@Suite("Inconclusive logs")
struct UpdateDoubtTests {
  /// A log with a line that isn't a record.
  private static let damaged = SampleLog.leak.replacing(
    #"{"t":8,"event":"thread""#, with: "broken\n" + #"{"t":8,"event":"thread""#)

  /// Returns the log of a process that died, with one more line.
  private static func died(_ line: String) -> String { SampleLog.died + line + "\n" }

  private static let doubtful: [(log: String, reason: String)] = [
    (SampleLog.died, "inconclusive: no end"),
    (
      died(#"{"t":950000000,"event":"continued","records":9,"lost":0}"#),
      "inconclusive: continues in another file"
    ),
    (
      died(#"{"t":950000000,"event":"end","records":9,"lost":3}"#),
      "inconclusive: records lost"
    ),
    (
      died(#"{"t":950000000,"event":"end","records":12,"lost":0}"#),
      "inconclusive: records missing"
    ),
    (died("broken"), "inconclusive: no end, damaged lines"),
    (
      SampleLog.died + SampleLog.ofAnother(SampleLog.clean, process: 77),
      "inconclusive: no end (1 of 2)"
    ),
  ]

  @Test("The header always says why a log is inconclusive", arguments: doubtful)
  func reasons(log: String, reason: String) throws {
    var stage = try ViewerStage(log)
    for keys in ["", "j", "wl", "4", "L", "<Esc>"] {
      stage.type(keys)
      #expect(stage.screen[0].contains(reason))
    }
  }

  @Test("A narrow header still says that the log has no end", arguments: [30, 40, 59])
  func narrow(columns: Int) throws {
    let stage = try ViewerStage(SampleLog.died, columns: columns, rows: 10)
    #expect(stage.screen[0].contains("no end"))
  }

  @Test("The header doesn't call a complete log or a growing log inconclusive")
  func noDoubt() throws {
    var stage = try ViewerStage(SampleLog.leak)
    #expect(!stage.screen[0].contains("inconclusive"))
    stage = try ViewerStage(SampleLog.died)
    try stage.grow(SampleLog.died)
    #expect(!stage.screen[0].contains("inconclusive"))
  }

  @Test("Damage is shown above the findings even after its message has disappeared")
  func damage() throws {
    var stage = try ViewerStage(Self.damaged)
    let sentence = "test.jsonl:2: not a JSON object; 1 line skipped"
    #expect(stage.footer == sentence)
    stage.type("j")
    #expect(stage.footer != sentence)
    #expect(stage.screen[0].contains("damaged, see 4"))
    stage.type("4")
    #expect(stage.screen.contains(sentence))
    #expect(stage.screen.contains { $0.contains("undisposed") })
  }

  @Test("The complete verdict is shown above the findings, and a finding can be opened")
  func findings() throws {
    var stage = try ViewerStage(SampleLog.died, columns: 60, typing: "4")
    let pane = stage.viewer.layout.pane
    let shown = stage.screen[pane]
    #expect(shown.first?.hasPrefix("inconclusive: the process did not write the end") == true)
    #expect(shown.joined(separator: " ").contains("1 subscription still active when the log stops"))
    stage.type("j<Enter>")
    #expect(stage.viewer.chosenLane == "request")
  }

  @Test("A click below the verdict selects the clicked finding")
  func pressing() throws {
    let lines = (1...5).map { SampleLog.subscribe($0, "lane\($0)", at: $0, line: $0) }
    var stage = try ViewerStage(([SampleLog.header] + lines).map { $0 + "\n" }.joined())
    stage.type("M4")
    let pane = stage.viewer.layout.pane
    let row = try #require(stage.screen.indices.first { stage.screen[$0].contains("lane3 #3") })
    #expect(pane.contains(row))
    stage.send(.input(.mouse(MousePress(kind: .press(button: 0), column: 5, row: row))))
    stage.send(.input(.mouse(MousePress(kind: .release(button: 0), column: 5, row: row))))
    stage.type("<Enter>")
    #expect(stage.viewer.chosenLane == "lane3")
    stage.type("4")
    stage.send(.input(.mouse(MousePress(kind: .press(button: 0), column: 5, row: pane.lowerBound))))
    #expect(stage.viewer.panes[FindingsPane.self].rows.selected?.finding == 2)
  }

  @Test("A long verdict is shortened to leave room for the findings")
  func muchDamage() throws {
    let logs = (1...12).map { SampleLog.ofAnother(SampleLog.died, process: $0) }
    let log = logs.joined(separator: "broken\n{\"t\":1}\n") + logs[0]
    var stage = try ViewerStage(log + SampleLog.next(99, "x", at: 5, "y") + "\n", typing: "4")
    let shown = stage.screen[stage.viewer.layout.pane]
    let head = FindingHead(viewer: stage.viewer).lines
    #expect(head.count <= shown.count / 2)
    #expect(shown[shown.startIndex + head.count].contains("undisposed"))
    // All processes make the same mistake.
    stage.type("<Right>")
    for _ in 0..<30 { stage.type("j") }
    let rows = stage.viewer.panes[FindingsPane.self].rows
    #expect(rows.all.count == 14)
    #expect(rows.list.row == 13)
    #expect(rows.list.row - rows.list.first < FindingsPane.listHeight(stage.viewer))
  }

  @Test("The leak filter includes active subscriptions of a killed or running process")
  func leaks() throws {
    var stage = try ViewerStage(SampleLog.died, columns: 100, typing: "L")
    #expect(stage.viewer.outline.lanes.map(\.name).contains("request"))
    #expect(stage.viewer.viewed.excerpt.members == [2])
    #expect(stage.screen[0].contains("filtered: leaks and still active"))
    stage.type("L")
    #expect(stage.viewer.viewed.excerpt.members.count == 4)
    try stage.grow(SampleLog.died)
    stage.type("L")
    #expect(stage.viewer.viewed.excerpt.members == [2])
  }

  @Test("A file that was truncated or rewritten stays marked as changed")
  func changed() throws {
    var stage = try ViewerStage(SampleLog.leak)
    var reading = stage.viewer.feed.reading
    reading.change =
      "run.jsonl: The file was cut short or rewritten after it was read. Open it again."
    stage.send(.progressed(reading))
    #expect(stage.footer.hasPrefix("run.jsonl: The file was cut short or rewritten"))
    stage.type("jj")
    #expect(stage.screen[0].contains("changed on disk"))
    // The message appears only once.
    stage.send(.progressed(reading))
    #expect(stage.viewer.notice == nil)
  }

  @Test("A followed log whose file is missing isn't shown as live")
  func gone() throws {
    var stage = try ViewerStage(StageLogs.growing(10))
    try stage.grow(StageLogs.growing(10))
    #expect(stage.screen[0].contains("live"))
    var reading = stage.viewer.feed.reading
    reading.isGone = true
    stage.send(.progressed(reading))
    #expect(stage.screen[0].contains("the file is gone"))
    #expect(!stage.screen[0].contains("live"))
    reading.isGone = false
    stage.send(.progressed(reading))
    #expect(stage.screen[0].contains("live"))
  }

  @Test("Values from buckets are marked as approximate")
  func summary() throws {
    let stage = try ViewerStage(StageLogs.growing(10), columns: 160, typing: "5")
    let lane = try #require(stage.screen[stage.viewer.layout.pane].first { $0.hasPrefix("ticks") })
    // There is an element every 10 ms, and the first one at 10 ms.
    #expect(
      lane.split(separator: " ").suffix(8).map(String.init)
        == ["~10", "ms", "~10", "ms", "10", "ms", "10", "ms"])
  }
}
