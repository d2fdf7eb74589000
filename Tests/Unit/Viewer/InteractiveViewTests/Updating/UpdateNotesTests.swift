import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

@Suite("Notes and pinned lanes")
struct UpdateNotesTests {
  @Test("A note is shown on the axis and next to the cursor, and can be changed and removed")
  func notes() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 100)
    let axis = stage.viewer.layout.axis.upperBound - 1
    stage.type(":300ms<Enter>c")
    #expect(stage.footer.hasPrefix("Note at 300 ms: "))
    stage.type("  first look<Enter>")
    #expect(stage.footer == "note at 300 ms; it is not saved")
    #expect(stage.viewer.notes == [Note(time: Nanoseconds(300_000_000), text: "first look")])
    stage.type("g")
    #expect(stage.screen[axis].contains("◆"))
    #expect(!stage.footer.contains("first look"))
    stage.type(":300ms<Enter>l<Esc>h")
    #expect(stage.footer.contains("◆ first look"))
    stage.type(":300ms<Enter>c again<Enter>")
    #expect(stage.viewer.notes.map(\.text) == ["first look again"])
    stage.type("c<C-u><Enter>")
    #expect(stage.footer == "note removed")
    #expect(stage.viewer.notes == [])
    stage.type("c<Enter>")
    #expect(stage.footer == "no text, no note")
    stage.type("cx<Esc>")
    #expect(stage.viewer.notes == [])
  }

  @Test("Of two notes at the same time, as two viewers leave them, one is changed at a time")
  func sameTime() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 100, typing: ":300ms<Enter>cone<Enter>")
    stage.viewer.notes.append(Note(time: Nanoseconds(300_000_000), text: "two"))
    stage.type("c!<Enter>")
    #expect(stage.viewer.notes.map(\.text) == ["two", "one!"])
  }

  @Test("A note with control characters or without end is shown safely")
  func hostile() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 100)
    let text = "a\u{1B}[31m\n\u{202E}b" + String(repeating: "long ", count: 100_000)
    stage.viewer.notes = [Note(time: .zero, text: text)]
    #expect(stage.footer.contains("◆ a"))
    let scalars = stage.screen.joined().unicodeScalars
    #expect(!scalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    stage.type("c")
    #expect(stage.footer == "the note is too long to change it here; change it in the file")
    #expect(stage.viewer.notes.map(\.text) == [text])
    stage.type(":long<Enter>")
    #expect(stage.timeline.cursor == .zero)
  }

  @Test("The text of a note leads to its time")
  func jumping() throws {
    var stage = try ViewerStage(SampleLog.leak)
    stage.type(":300ms<Enter>cslow here<Enter>g:slow<Enter>")
    #expect(stage.timeline.cursor == Nanoseconds(300_000_000))
  }

  @Test("Another log in the file has no notes")
  func restart() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "cx<Enter>")
    try stage.restart(StageLogs.growing(3))
    #expect(stage.viewer.notes == [])
  }

  @Test("A pinned lane is at the top with the lanes below it, until it is unpinned")
  func pinning() throws {
    var stage = try ViewerStage(StageLogs.origins)
    let lanes = stage.viewer.outline.lanes.map(\.name)
    #expect(lanes == ["query", "results", "request"])
    stage.type("jP")
    #expect(stage.footer == "results pinned to the top")
    #expect(stage.viewer.outline.lanes.map(\.name) == ["results", "request", "query"])
    #expect(stage.viewer.outline.lanes.map(\.depth) == [0, 1, 0])
    #expect(stage.viewer.chosenLane == "results")
    stage.type("jP")
    #expect(stage.viewer.outline.lanes.map(\.name) == ["results", "request", "query"])
    #expect(stage.viewer.outline.lanes.map(\.depth) == [0, 0, 0])
    #expect(stage.viewer.outline.lanes[1].key == ["results", "request"])
    stage.type("gkP")
    #expect(stage.viewer.feed.arrangement.pinned == ["request"])
    stage.type("P")
    #expect(stage.viewer.feed.arrangement.pinned == ["request", "results"])
    #expect(stage.viewer.outline.lanes.map(\.name) == ["request", "results", "query"])
  }

  @Test("Pinned lanes stay consistent in each grouping of a log")
  func groups() throws {
    var stage = try ViewerStage(StageLogs.search())
    let members = stage.viewer.viewed.excerpt.members.count
    stage.type(":search.request<Enter>P:search.query<Enter>P")
    for _ in Grouping.allCases {
      stage.type("b")
      let lanes = stage.viewer.outline.lanes
      #expect(lanes.reduce(0) { $0 + $1.members.count } == members)
      for (number, lane) in lanes.enumerated() {
        guard let parent = lane.parent else {
          #expect(lane.depth == 0)
          continue
        }
        #expect(parent < number)
        #expect(lanes[parent].depth == lane.depth - 1)
        #expect(lane.key.dropLast() == lanes[parent].key[...])
      }
      #expect(lanes.first?.isPinned == true)
    }
  }
}
