import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Replaying")
struct UpdateReplayingTests {
  private let ms = UInt64(StageLogs.ms)

  @Test("A replay starts at the cursor, follows the clock and can be paused")
  func playing() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "jj..<Space>")
    #expect(stage.viewer.needsTicks)
    stage.send(.ticked(5_000 * ms))
    #expect(stage.timeline.cursor.count == 300 * ms)
    stage.send(.ticked(5_100 * ms))
    #expect(stage.timeline.cursor.count == 400 * ms)
    stage.send(.ticked(5_050 * ms))
    #expect(stage.timeline.cursor.count == 400 * ms)
    stage.type("<Space>")
    #expect(!stage.viewer.needsTicks)
    stage.send(.ticked(6_000 * ms))
    #expect(stage.timeline.cursor.count == 400 * ms)
    // The time of the pause is skipped.
    stage.type("<Space>")
    stage.send(.ticked(9_000 * ms))
    stage.send(.ticked(9_010 * ms))
    #expect(stage.timeline.cursor.count > 400 * ms && stage.timeline.cursor.count <= 410 * ms)
  }

  @Test(
    "A replay can be made faster and slower",
    arguments: [(">", 200), (">>>", 800), ("<", 50), ("<<", 25)])
  func speed(keys: String, expected: Int) throws {
    var stage = try ViewerStage(SampleLog.leak, typing: keys + "<Space>")
    stage.send(.ticked(1_000 * ms))
    stage.send(.ticked(1_100 * ms))
    #expect(stage.timeline.cursor.count == UInt64(expected) * ms)
  }

  @Test("The speed of a replay is limited to a thousand times as fast or as slow")
  func speedLimits() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: String(repeating: ">", count: 30))
    #expect(stage.footer == "speed 1000x")
    stage.type("<")
    #expect(stage.footer == "speed 512x")
    stage.type(String(repeating: "<", count: 30))
    #expect(stage.footer == "speed 1/1000x")
    stage.type(">")
    #expect(stage.footer == "speed 1/512x")
  }

  @Test("A replay stops at the end of the log and then starts again at the beginning")
  func ending() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "<Space>")
    stage.send(.ticked(0))
    stage.send(.ticked(9_000 * ms))
    #expect(stage.timeline.cursor == stage.viewer.log.duration)
    #expect(!stage.viewer.needsTicks)
    #expect(stage.footer.hasPrefix("end of the log;"))
    stage.type("<Space>")
    #expect(stage.timeline.cursor == .zero)
    #expect(stage.viewer.needsTicks)
  }

  @Test("The overview shows how many subscriptions are active at the playhead")
  func alive() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 120, typing: "<Space>")
    stage.send(.ticked(0))
    for (time, count) in [(50, 1), (150, 2), (250, 3), (500, 4), (700, 3), (950, 2)] {
      stage.send(.ticked(UInt64(time) * ms))
      #expect(stage.viewer.outline.alive(at: stage.timeline.cursor) == count)
      #expect(stage.screen[2].hasPrefix("\(count) active "))
    }
  }

  @Test("Gaps that would last over a second can be skipped")
  func gaps() throws {
    let second = 1_000 * StageLogs.ms
    let log = SampleLog.make(
      [
        SampleLog.subscribe(1, "a", at: 0), SampleLog.next(1, "a", at: 10 * second, "x"),
        SampleLog.end("completed", 1, "a", at: 20 * second),
      ], end: 20 * second)
    var stage = try ViewerStage(log, typing: "i")
    #expect(stage.footer == "skipping gaps of over a second")
    stage.type("<Space>")
    stage.send(.ticked(1_000 * ms))
    #expect(stage.timeline.cursor.count == 10_000 * ms)
    stage.send(.ticked(1_010 * ms))
    #expect(stage.timeline.cursor.count == 20_000 * ms)
    stage = try ViewerStage(log)
    stage.type("ii<Space>")
    stage.send(.ticked(1_000 * ms))
    stage.send(.ticked(1_010 * ms))
    #expect(stage.timeline.cursor.count == 10 * ms)
    // At 32 times the speed, ten seconds take less than a second, so they aren't a gap.
    stage = try ViewerStage(log)
    stage.type("i>>>>><Space>")
    stage.send(.ticked(1_000 * ms))
    stage.send(.ticked(1_010 * ms))
    #expect(stage.timeline.cursor.count == 320 * ms)
  }

  @Test("Stepping pauses the replay and visits the events of all lanes")
  func stepping() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "<Space>")
    stage.send(.ticked(0))
    stage.send(.ticked(290 * ms))
    stage.type("n")
    #expect(!stage.viewer.needsTicks)
    #expect(stage.timeline.event?.text == "swift")
    stage.type("n")
    #expect(stage.timeline.event?.kind == .subscribe)
    #expect(stage.viewer.chosenLane == "request")
    #expect(stage.timeline.rowMembers?.contains(stage.timeline.chosen ?? -1) == true)
    stage.type("p")
    #expect(stage.timeline.event?.text == "swift")
    stage.type("p")
    #expect(stage.viewer.chosenLane == "results")
    for _ in 0..<5 { stage.type("p") }
    #expect(stage.footer == "no earlier event")
  }

  @Test("Stepping visits only events that match the filter")
  func steppingFiltered() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "&lane:request<Enter>p")
    for _ in 0..<4 {
      stage.type("n")
      #expect(stage.viewer.chosenLane == "request")
    }
  }

  @Test("Moving the cursor pauses a replay, and Esc ends it")
  func leaving() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "<Space>l")
    #expect(stage.viewer.isReplaying)
    #expect(!stage.viewer.needsTicks)
    stage.type("<Space><Esc>")
    #expect(!stage.viewer.isReplaying)
    #expect(stage.effects == [])
    stage.type("n")
    #expect(stage.footer == "no search yet; / starts one")
  }

  @Test("The playhead stays in view when zoomed in")
  func following() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "www<Space>")
    stage.send(.ticked(0))
    for time in stride(from: 0, through: 1_000, by: 40) {
      stage.send(.ticked(UInt64(time) * ms))
      #expect(stage.timeline.window.contains(stage.timeline.cursor))
    }
  }

  @Test("A log without duration can't be played")
  func empty() throws {
    let stage = try ViewerStage(SampleLog.header + "\n", typing: "<Space>")
    #expect(stage.footer == "nothing to play")
    #expect(!stage.viewer.isReplaying)
  }
}
