import ReactiveTrace
import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerBase

@Suite("A log that is read or grows")
struct UpdateLogTests {
  private let ms = UInt64(StageLogs.ms)

  private func following(_ count: Int) throws -> ViewerStage {
    var stage = try ViewerStage(StageLogs.growing(count))
    try stage.grow(StageLogs.growing(count))
    return stage
  }

  @Test("keeps all in view while all was in view")
  func fitsAll() throws {
    var stage = try following(10)
    #expect(stage.screen[0].contains("live"))
    try stage.grow(StageLogs.growing(100))
    #expect(stage.timeline.window == VisibleRange.all(of: stage.viewer.log))
    stage.type("w")
    let window = stage.timeline.window
    try stage.grow(StageLogs.growing(200))
    #expect(stage.timeline.window == window)
    #expect(stage.screen[0].contains("live, not at the end"))
  }

  @Test("sticks to the end after G, until one moves away")
  func sticksToTheEnd() throws {
    var stage = try following(10)
    stage.type("wwG")
    for count in [50, 100, 1_000] {
      try stage.grow(StageLogs.growing(count))
      #expect(stage.timeline.cursor == stage.viewer.log.duration)
      #expect(stage.timeline.window.contains(stage.timeline.cursor))
    }
    stage.type("h")
    let cursor = stage.timeline.cursor
    try stage.grow(StageLogs.growing(1_010))
    #expect(stage.timeline.cursor == cursor)
  }

  @Test("freezes what is shown while reading goes on, and shows all of it then")
  func freezing() throws {
    var stage = try following(10)
    stage.type("<Space>")
    try stage.grow(StageLogs.growing(100))
    #expect(stage.viewer.log.duration.count == 100 * ms)
    #expect(stage.viewer.feed.held != nil)
    #expect(stage.screen[0].contains("frozen, 90 more"))
    stage.type("<Space>")
    #expect(stage.viewer.log.duration.count == 1_000 * ms)
    #expect(stage.viewer.feed.held == nil)
    #expect(!stage.viewer.isReplaying)
  }

  @Test(
    "shows what a filter lets through after it was frozen, and not what another one did")
  func freezingAndFiltering() throws {
    var stage = try following(10)
    stage.type("<Space>")
    try stage.grow(StageLogs.growing(100))
    stage.type("&lane:nothing<Enter><Space>")
    #expect(stage.viewer.viewed.arrangement == stage.viewer.feed.arrangement)
    #expect(stage.timeline.list.items.isEmpty)
  }

  @Test(
    "shows another log that has begun while it was frozen, and never the old one again")
  func freezingAndRestarting() throws {
    var stage = try following(10)
    stage.type("<Space>")
    try stage.grow(StageLogs.growing(100))
    try stage.restart(StageLogs.growing(3, lane: "another"))
    stage.type("<Space>")
    #expect(stage.viewer.outline.lanes.map(\.name) == ["another"])
  }

  @Test("begins anew with another log in the file")
  func restarting() throws {
    var stage = try following(100)
    stage.type("wwwGm2/5<Enter>")
    try stage.restart(StageLogs.growing(3, lane: "another"))
    #expect(stage.footer == "the file now has another log")
    #expect(stage.timeline.cursor == .zero)
    #expect(stage.timeline.marks.times.isEmpty)
    #expect(stage.viewer.search.result == nil)
    #expect(stage.timeline.window == VisibleRange.all(of: stage.viewer.log))
    #expect(stage.viewer.panes.events.events.count == 4)
    #expect(stage.screen.contains { $0.contains("another") })
  }

  @Test("keeps line, subscription and cursor when the log grows")
  func selection() throws {
    let lines = StageLogs.origins.split(separator: "\n").map { $0 + "\n" }
    var stage = try ViewerStage(lines.prefix(6).joined())
    try stage.grow(lines.prefix(6).joined())
    stage.type("jjG")
    #expect(stage.viewer.chosenLane == "request")
    let cursor = stage.timeline.cursor
    stage.type("h")
    try stage.grow(lines.dropLast().joined())
    #expect(stage.viewer.chosenLane == "request")
    #expect(stage.timeline.selectedLane?.name == "request")
    #expect(stage.timeline.cursor < cursor)
  }

  @Test(
    "keeps the event that is pointed to when the log grows")
  func event() throws {
    var stage = try following(10)
    stage.type("...")
    #expect(stage.timeline.event?.text == "2")
    try stage.grow(StageLogs.growing(20))
    #expect(stage.timeline.event?.text == "2")
  }

  @Test("says first how far it has come, then what is wrong with the log")
  func reading() throws {
    var stage = try ViewerStage(SampleLog.leak)
    stage.send(.progressed(ReadingState(bytesRead: 500, bytesTotal: 1_000)))
    #expect(stage.screen[0].contains("50 %"))
    stage = try ViewerStage(
      SampleLog.leak.split(separator: "\n").map { $0 + "\n" }.joined("{\"t\":\n"))
    #expect(stage.viewer.notice?.isError == true)
    #expect(stage.footer.hasPrefix("test.jsonl:2:"))
  }

  @Test("ends where there is no log to show, but waits for one that is followed")
  func noLog() throws {
    var stage = try ViewerStage("this is no log\n")
    #expect(stage.effects == [.quit(.notALog)])
    stage = try ViewerStage(StageLogs.growing(1))
    try stage.restart("")
    #expect(stage.effects == [])
    #expect(HeaderBar(stage.viewer).line.text.contains("waiting for the log"))
  }

  @Test("says that a log has no end")
  func died() throws {
    let stage = try ViewerStage(SampleLog.died)
    #expect(stage.screen[0].contains("no end"))
  }

  @Test("asks for events once for each place")
  func requests() throws {
    var viewer = try ViewerStage(SampleLog.leak).viewer
    let effects = viewer.update(.input(.key(KeyPress("2"))))
    guard case .read(let request) = effects.first, effects.count == 1 else {
      Issue.record("nothing is read")
      return
    }
    _ = viewer.update(.read(EventLookup(viewer).page(request)))
    #expect(viewer.update(.said(Notice(text: "x"))) == [])
    // A page that is not of this place is not shown.
    var other = request
    other.before += 1
    _ = viewer.update(.read(EventPage(request: other)))
    #expect(!viewer.panes.events.events.isEmpty)
  }
}

extension [String] {
  fileprivate func joined(_ second: String) -> String {
    prefix(1).joined() + second + dropFirst().joined()
  }
}
