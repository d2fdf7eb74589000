import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("The full view of a log of a comparison")
struct ComparedPlaceTests {
  private static let ms = UInt64(StageLogs.ms)

  private func side(_ side: ComparedSide, at place: ComparedPlace) throws -> ViewerStage {
    let logs = ComparisonLogs.kinds
    var stage = try ViewerStage(side == .old ? logs.old : logs.new, rows: 30)
    stage.viewer.showSide(side)
    stage.viewer.arrive(at: place)
    stage.send(.resized(columns: 80, rows: 30))
    return stage
  }

  @Test("V opens the selected lane in the new log, or in the old one if only that has it")
  func opening() throws {
    var stage = try ComparisonStage(ComparisonLogs.kinds.old, ComparisonLogs.kinds.new)
    stage.type("/lane:new<Enter>)V")
    let time = stage.viewer.cursor
    #expect(time > .zero)
    #expect(
      stage.effects == [
        .openSide(
          .new,
          ComparedPlace(lane: "new", source: "App/Model.swift:8", time: time, range: nil))
      ])
    stage.type("/lane:gone<Enter>wV")
    guard case .openSide(.old, let place) = stage.effects.last else {
      Issue.record("not opened in A")
      return
    }
    #expect(place.lane == "gone")
    #expect(place.range == stage.viewer.window)
  }

  @Test("The view goes to the lane and the time, and lists the events of the lane")
  func arrival() throws {
    let place = ComparedPlace(
      lane: "changed", source: "App/Model.swift:10", time: Nanoseconds(600 * Self.ms))
    let stage = try side(.new, at: place)
    #expect(stage.viewer.chosenLane == "changed")
    #expect(stage.timeline.cursor == place.time)
    #expect(stage.timeline.chosenLifecycle?.start.count == 500 * Self.ms)
    #expect(stage.viewer.panes.currentID == .events)
    #expect(stage.screen[0].hasPrefix("B search-sample (77)"))
    #expect(
      stage.footer
        == "this is B; V shows the lane in A, and q goes back to the comparison")
    #expect(stage.viewer.comparedPlace.lane == "changed")
    #expect(stage.viewer.comparedPlace.time == place.time)
  }

  @Test("The view waits until the log was read")
  func waiting() throws {
    var stage = try ViewerStage(
      ComparisonLogs.kinds.new, rows: 30)
    stage.viewer.showSide(.new)
    stage.send(.progressed(ReadingState(bytesRead: 1, bytesTotal: 2)))
    stage.viewer.arrive(at: ComparedPlace(lane: "new", time: .zero))
    #expect(stage.viewer.chosenLane != "new")
    try stage.grow(ComparisonLogs.kinds.new, follows: false)
    #expect(stage.viewer.chosenLane == "new")
    #expect(stage.timeline.cursor.count == 20 * Self.ms)
  }

  @Test("A log without the lane says so")
  func missing() throws {
    let range = VisibleRange(start: Nanoseconds(10), duration: 1000)
    let stage = try side(
      .old, at: ComparedPlace(lane: "new", time: Nanoseconds(70), range: range))
    #expect(stage.footer == "A has no lane new; V shows B")
    #expect(stage.timeline.window == range)
    #expect(stage.timeline.cursor == Nanoseconds(70))
  }

  @Test("V turns to the other log, and the keys at the bottom say so")
  func turning() throws {
    var stage = try side(.old, at: ComparedPlace(lane: "same", time: .zero))
    #expect(stage.screen.last?.hasPrefix("V B  ") == true)
    #expect(stage.screen.last?.contains("q quit") == false)
    stage.type("V")
    #expect(stage.effects == [.turn])
  }
}
