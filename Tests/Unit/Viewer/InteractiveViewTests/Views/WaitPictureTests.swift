import TestSupport
import Testing
import ViewerTestSupport

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("Trees of waits in the detail pane")
struct WaitPictureTests {
  private func picture(
    _ log: String, _ id: UInt64, width: Int = 80, _ glyphs: Glyphs = .unicode
  ) throws -> WaitPicture {
    let viewed = ViewedLog(
      try ViewerStage.snapshot(log), RuleSettings(), Arrangement())
    let index = try #require(viewed.log.index(of: SubscriptionID(known: id)))
    return WaitPicture(index, viewed, Page(width: width, glyphs: glyphs), width: width)
  }

  private func text(_ rows: [WaitPicture.Row]) -> [String] { rows.map(\.line.text) }

  @Test("A task has the tasks that it waits for below it, and the waiters of each task above it")
  func chain() throws {
    let picture = try picture(TaskLogs.shop, 3)
    #expect(
      text(picture.waits) == [
        "waits for #5 stock at Shop.swift:33 for 550 ms",
        "└ #5 stock  waits for a continuation at Shop.swift:55 for 650 ms",
      ])
    #expect(
      text(picture.waiters) == [
        "└ #2 order  waits at Shop.swift:22 for 900 ms",
        "  └ #1 server  waits at Shop.swift:12 for 940 ms",
      ])
    #expect(picture.waits.map(\.source) == ["Shop/Shop.swift:33", "Shop/Shop.swift:55"])
    #expect(picture.waits.map { $0.task != nil } == [false, true])
  }

  @Test("A circle is recognized in both directions")
  func circle() throws {
    let picture = try picture(TaskLogs.shop, 6)
    #expect(
      text(picture.waits) == [
        "waits for #7 cache.b at Shop.swift:61 for 700 ms",
        "└ #7 cache.b  waits at Shop.swift:71 for 690 ms",
        "  └ #6 cache.a  (closes the circle)",
      ])
    #expect(text(picture.waiters).last == "  └ #6 cache.a  (closes the circle)")
  }

  @Test("Many equal tasks that a group waits for share a row")
  func equal() throws {
    let children = 2...40
    let log = SampleLog.make(
      [
        TaskLogs.begin(1, "all", at: 0),
        TaskLogs.suspended(1, "all", at: 1, "group", for: Array(children)),
      ]
        + children.flatMap {
          [
            TaskLogs.begin($0, "one", at: 0),
            TaskLogs.suspended($0, "one", at: 2, "continuation", line: 7),
          ]
        })
    #expect(
      text(try picture(log, 1).waits).last
        == "└ #2 one  waits for a continuation at Shop.swift:7 for 998 ms  +38 tasks like it")
  }

  @Test("A subscription that isn't a task, or a task that has ended, has no trees")
  func none() throws {
    #expect(try picture(SampleLog.leak, 2).waits.isEmpty)
    #expect(try picture(TaskLogs.shop, 4).waits.isEmpty)
    #expect(try picture(TaskLogs.shop, 4).waiters.isEmpty)
  }

  @Test("No row is wider than the pane, whatever the log contains", arguments: [8, 13, 40, 100])
  func widths(width: Int) throws {
    for id: UInt64 in [1, 2, 3] {
      for log in [TaskLogs.damaged, TaskLogs.shop] {
        for glyphs in [Glyphs.unicode, .ascii] {
          let picture = try picture(log, id, width: width, glyphs)
          for row in picture.waits + picture.waiters { #expect(row.line.columns <= width) }
        }
      }
    }
  }

  @Test("A deep chain ends, and so does one of a thousand tasks")
  func deep() throws {
    let count = 1000
    let log = SampleLog.make(
      (1...count).flatMap {
        [
          TaskLogs.begin($0, "t", at: 0),
          TaskLogs.suspended($0, "t", at: 1, "task", line: $0, for: [$0 % count + 1]),
        ]
      })
    let rows = try picture(log, 1).waits
    #expect(rows.count == 102)
    #expect(rows.last?.line.text == "+900 more tasks")
  }

  @Test("Enter on a task of the tree chooses it, and a second one returns to the timeline")
  func open() throws {
    var stage = try ViewerStage(TaskLogs.shop, typing: "jj3")
    #expect(stage.timeline.chosenLifecycle?.site.lane == "pack")
    stage.type("jjj<Enter>")
    #expect(stage.timeline.chosenLifecycle?.site.lane == "stock")
    #expect(stage.viewer.focus == .pane)
    #expect(stage.timeline.selectedLane?.name == "stock")
    stage.type("<Enter>")
    #expect(stage.viewer.focus == .timeline)
  }
}
