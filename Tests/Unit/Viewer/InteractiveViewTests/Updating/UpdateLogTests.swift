import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("Logs that are read or grow")
struct UpdateLogTests {
  private let ms = UInt64(StageLogs.ms)

  private func following(_ count: Int) throws -> ViewerStage {
    var stage = try ViewerStage(StageLogs.growing(count))
    try stage.grow(StageLogs.growing(count))
    return stage
  }

  @Test("A growing log stays completely in view unless the view was zoomed")
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

  @Test("The cursor follows the end of a growing log until it is moved")
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

  @Test("A frozen view counts new records and shows them when it is unfrozen")
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

  @Test("A filter entered while frozen applies after unfreezing")
  func freezingAndFiltering() throws {
    var stage = try following(10)
    stage.type("<Space>")
    try stage.grow(StageLogs.growing(100))
    stage.type("&lane:nothing<Enter><Space>")
    #expect(stage.viewer.viewed.arrangement == stage.viewer.feed.arrangement)
    #expect(stage.timeline.list.items.isEmpty)
  }

  @Test("A log that restarted while frozen is shown after unfreezing")
  func freezingAndRestarting() throws {
    var stage = try following(10)
    stage.type("<Space>")
    try stage.grow(StageLogs.growing(100))
    try stage.restart(StageLogs.growing(3, lane: "another"))
    stage.type("<Space>")
    #expect(stage.viewer.outline.lanes.map(\.name) == ["another"])
  }

  @Test("A different log in the same file resets the view")
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

  @Test("A growing log keeps the selected line, subscription and cursor")
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

  @Test("A growing log keeps the selected event")
  func event() throws {
    var stage = try following(10)
    stage.type("...")
    #expect(stage.timeline.event?.text == "2")
    try stage.grow(StageLogs.growing(20))
    #expect(stage.timeline.event?.text == "2")
  }

  @Test("The viewer shows its progress while it reads a log, and then reports damage")
  func reading() throws {
    var stage = try ViewerStage(SampleLog.leak)
    stage.send(.progressed(ReadingState(bytesRead: 500, bytesTotal: 1_000)))
    #expect(stage.screen[0].contains("50 %"))
    stage = try ViewerStage(
      SampleLog.leak.split(separator: "\n").map { $0 + "\n" }.joined("{\"t\":\n"))
    #expect(stage.viewer.notice?.isError == true)
    #expect(stage.footer.hasPrefix("test.jsonl:2:"))
  }

  @Test("The viewer quits if a file isn't a log, but waits if the file is followed")
  func noLog() throws {
    var stage = try ViewerStage("not a log\n")
    #expect(stage.effects == [.quit(.notALog)])
    stage = try ViewerStage(StageLogs.growing(1))
    try stage.restart("")
    #expect(stage.effects == [])
    #expect(HeaderBar(viewer: stage.viewer).line.text.contains("waiting for the log"))
  }

  @Test("The header shows that a log has no end")
  func died() throws {
    let stage = try ViewerStage(SampleLog.died)
    #expect(stage.screen[0].contains("no end"))
  }

  @Test("A page of events is requested only once")
  func requests() throws {
    var viewer = try ViewerStage(SampleLog.leak).viewer
    let effects = viewer.update(.input(.key(KeyPress("2"))))
    guard case .read(let request) = effects.first, effects.count == 1 else {
      Issue.record("nothing is read")
      return
    }
    _ = viewer.update(.read(EventLookup(viewer).page(request)))
    #expect(viewer.update(.said(Notice(text: "x"))) == [])
    // A page for another place is ignored.
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
