import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("Saved views")
struct UpdateSavedViewTests {
  private static let trace = "9f0c2d4e8b7a61530f1e2d3c4b5a6978"

  private func stage(
    _ saved: SavedView?, _ log: String = SampleLog.leak, isWritable: Bool = true
  ) throws -> ViewerStage {
    try ViewerStage(log, saved: saved, savesView: isWritable)
  }

  @Test("What the user arranged, noted and selected is restored")
  func roundTrip() throws {
    var before = try stage(nil)
    before.type("&lane:re* -state:failed<Enter>SSb")
    before.type(":#2<Enter>P:300ms<Enter>wwmcslow<Enter>llm3")
    let view = try #require(before.viewer.changedView)
    #expect(view.trace == Self.trace)
    let after = try stage(view)
    #expect(after.viewer.currentView == view)
    #expect(after.viewer.viewed.arrangement == before.viewer.viewed.arrangement)
    #expect(after.viewer.notes == before.viewer.notes)
    #expect(after.timeline.window == before.timeline.window)
    #expect(after.timeline.chosen == before.timeline.chosen)
    #expect(after.timeline.marks.times == before.timeline.marks.times)
    #expect(after.viewer.panes.currentID == .detail)
    #expect(after.viewer.changedView == nil)
  }

  @Test(
    "A view is only worth a file if something was arranged or noted",
    arguments: [
      ("jjll3", false), ("L", true), ("S", true), ("b", true), ("m", true), ("cx<Enter>", true),
      ("ww", true), ("jP", true), ("&a<Enter><Esc>", false), ("&a<Enter>t", true),
    ])
  func changes(keys: String, isWorth: Bool) throws {
    var stage = try stage(nil)
    #expect(stage.viewer.changedView == nil)
    stage.type(keys)
    #expect((stage.viewer.changedView != nil || !stage.saved.isEmpty) == isWorth)
    var other = try self.stage(nil, isWritable: false)
    other.type(keys)
    #expect(other.viewer.changedView == nil && other.saved.isEmpty)
  }

  @Test("A file that exists is updated when only the position changes")
  func position() throws {
    var view = SavedView(trace: Self.trace)
    view.order = "lane"
    var stage = try stage(view)
    #expect(stage.viewer.changedView == nil)
    stage.type("G")
    #expect(stage.viewer.changedView?.position.cursor == stage.viewer.log.duration.count)
  }

  @Test("The view of another log is ignored with a sentence")
  func foreign() throws {
    var view = SavedView(trace: "another")
    view.filter = "lane:settings"
    view.notes = [.init(time: 1, text: "x")]
    var stage = try stage(view)
    #expect(stage.footer == "the saved view is about another log and isn't used")
    #expect(stage.viewer.notes == [])
    #expect(stage.viewer.viewed.arrangement == Arrangement())
    #expect(stage.viewer.changedView == nil)
    stage.type("S")
    #expect(stage.viewer.changedView?.trace == Self.trace)
  }

  @Test("A view with values that make no sense is restored as far as possible")
  func nonsense() throws {
    var view = SavedView(trace: Self.trace)
    view.filter = "state:busy"
    view.grouping = "nothing"
    view.order = "chaos"
    view.pinned = ["nowhere"]
    view.marks = [.max, 5, 7]
    view.window = .init(start: .max, duration: 0)
    view.position.cursor = .max
    view.position.lane = ["nowhere"]
    view.position.subscription = 99
    view.position.pane = "nothing"
    let stage = try stage(view)
    #expect(
      stage.footer.hasPrefix("the saved filter isn't used: Unknown state 'busy' at character 7."))
    #expect(stage.timeline.cursor <= max(stage.viewer.log.duration, stage.timeline.window.end))
    #expect(stage.viewer.viewed.excerpt.members.count == 4)
    #expect(stage.screen.count == 24)
    // They stay in the file.
    var later = stage
    later.type("cx<Enter>")
    let saved = try #require(later.saved.last)
    #expect(saved.filter == "state:busy" && saved.grouping == "nothing" && saved.order == "chaos")
    #expect(saved.pinned == ["nowhere"])
  }

  @Test("After a key, the position isn't restored, but the arrangement and the notes are")
  func early() throws {
    var view = SavedView(trace: Self.trace)
    view.notes = [.init(time: 1, text: "x")]
    view.position.cursor = 300_000_000
    var viewer = Viewer(saved: view, savesView: true)
    _ = viewer.update(.resized(columns: 80, rows: 24))
    _ = viewer.update(.input(.key(KeyPress("1"))))
    let snapshot = try ViewerStage.snapshot(SampleLog.leak)
    let viewed = ViewedLog(snapshot, RuleSettings(), Arrangement())
    _ = viewer.update(.arranged(viewed, ReadingState()))
    #expect(viewer.notes.count == 1)
    // Until the log was read, the saved position stays.
    #expect(viewer.changedView == nil)
    _ = viewer.note("y", at: Nanoseconds(2))
    #expect(viewer.saved.original?.position.cursor == 300_000_000)
    var reading = ReadingState()
    reading.isComplete = true
    _ = viewer.update(.arranged(viewed, reading))
    #expect(viewer.timeline.cursor == .zero)
    #expect(viewer.panes.currentID == .subscriptions)
  }

  @Test("A restored order doesn't move the selection of a user who has pressed a key")
  func restoredOrder() throws {
    var view = SavedView(trace: Self.trace)
    view.order = "elements"
    var viewer = Viewer(saved: view, savesView: true)
    _ = viewer.update(.resized(columns: 80, rows: 24))
    _ = viewer.update(.input(.key(KeyPress("1"))))
    let snapshot = try ViewerStage.snapshot(SampleLog.leak)
    func arranged(_ arrangement: Arrangement) -> ViewedLog {
      ViewedLog(snapshot, RuleSettings(), arrangement)
    }
    var reading = ReadingState()
    reading.isComplete = true
    _ = viewer.update(.arranged(arranged(Arrangement()), reading))
    #expect(viewer.feed.arrangement.order == .elements)
    viewer.focus = .timeline
    for _ in 0..<2 { _ = viewer.update(.input(.key(KeyPress("j")))) }
    let key = try #require(viewer.timeline.selectedLane?.key)
    #expect(key != viewer.outline.lanes.first?.key)
    _ = viewer.update(.arranged(arranged(viewer.feed.arrangement), reading))
    #expect(viewer.viewed.arrangement.order == .elements)
    #expect(viewer.timeline.selectedLane?.key == key)
    // The key for sorting goes to the top.
    _ = viewer.update(.input(.key(KeyPress("S"))))
    _ = viewer.update(.arranged(arranged(viewer.feed.arrangement), reading))
    #expect(viewer.timeline.selectedLane?.key == viewer.outline.lanes.first?.key)
  }

  @Test("A note is saved immediately, also if it was written before the log was read")
  func immediately() throws {
    var stage = try stage(nil)
    stage.type("cx<Enter>")
    #expect(stage.saved.map { $0.notes.map(\.text) } == [["x"]])
    #expect(stage.viewer.changedView == nil)
    stage.type("c<C-u><Enter>")
    #expect(stage.saved.map { $0.notes.map(\.text) } == [["x"], []])
    stage.type("c<Enter>")
    #expect(stage.saved.count == 2)

    var view = SavedView(trace: Self.trace)
    view.notes = [.init(time: 5, text: "saved")]
    var viewer = Viewer(saved: view, savesView: true)
    #expect(viewer.note("early", at: .zero) == [])
    let snapshot = try ViewerStage.snapshot(SampleLog.leak)
    let viewed = ViewedLog(snapshot, RuleSettings(), Arrangement())
    _ = viewer.update(.arranged(viewed, ReadingState()))
    #expect(viewer.changedView?.notes.map(\.text) == ["early", "saved"])
  }

  @Test("A log that grows changes the file only with the user, and is shown at its end")
  func following() throws {
    var view = SavedView(trace: Self.trace)
    view.marks = [7]
    view.position.cursor = 7
    var viewer = Viewer(follows: true, saved: view, savesView: true)
    _ = viewer.update(.resized(columns: 80, rows: 24))
    let snapshot = try ViewerStage.snapshot(SampleLog.leak)
    let viewed = ViewedLog(snapshot, RuleSettings(), Arrangement())
    var reading = ReadingState()
    reading.follows = true
    _ = viewer.update(.arranged(viewed, reading))
    #expect(viewer.timeline.cursor == viewer.log.duration)
    #expect(viewer.timeline.marks.times == [Nanoseconds(7)])
    _ = viewer.update(.input(.key(KeyPress("g"))))
    #expect(viewer.changedView == nil)
    _ = viewer.update(.input(.key(KeyPress("S"))))
    #expect(viewer.changedView?.order == "lane")
  }

  @Test("A viewer that was never used leaves the file as it is, whatever it has")
  func unused() throws {
    var view = SavedView(trace: Self.trace)
    view.grouping = "parent"
    view.notes = [.init(time: 9, text: "b"), .init(time: 3, text: "a")]
    view.window = .init(start: 5, duration: 1)
    view.marks = [.max]
    view.position.lane = ["nowhere"]
    let stage = try stage(view)
    #expect(stage.viewer.changedView == nil)
  }
}
