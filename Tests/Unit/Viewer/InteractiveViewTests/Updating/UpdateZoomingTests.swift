import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Zooming, fitting and marks")
struct UpdateZoomingTests {
  private let ms = UInt64(StageLogs.ms)

  @Test("Zooming keeps the cursor in its column, down to a nanosecond per column")
  func zooming() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "jjG,")
    let column = { (viewer: Viewer) in
      viewer.timeline.window.scale(columns: viewer.layout.cells).column(of: viewer.timeline.cursor)
    }
    let before = column(stage.viewer)
    for _ in 0..<10 {
      stage.type("w")
      #expect(abs(column(stage.viewer) - before) <= 1)
    }
    for _ in 0..<60 { stage.type("w") }
    #expect(stage.timeline.window.duration == UInt64(stage.viewer.layout.cells))
    #expect(stage.timeline.window.contains(stage.timeline.cursor))
    for _ in 0..<70 { stage.type("s") }
    #expect(stage.timeline.window == VisibleRange.all(of: stage.viewer.log))
    #expect(stage.timeline.fitsAll)
  }

  @Test("Panning stays within the log and keeps the cursor visible")
  func panning() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "www")
    for _ in 0..<60 {
      stage.type("d")
      #expect(stage.timeline.window.contains(stage.timeline.cursor))
      #expect(stage.timeline.window.start <= stage.viewer.log.duration)
    }
    for _ in 0..<60 {
      stage.type("a")
      #expect(stage.timeline.window.contains(stage.timeline.cursor))
    }
    #expect(stage.timeline.window.start == .zero)
  }

  @Test("Panning doesn't change a window that shows the whole log")
  func panningAll() throws {
    var stage = try ViewerStage(StageLogs.growing(5))
    try stage.grow(StageLogs.growing(5))
    stage.type("a")
    #expect(stage.timeline.window == VisibleRange.all(of: stage.viewer.log))
    try stage.grow(StageLogs.growing(50))
    #expect(stage.timeline.window == VisibleRange.all(of: stage.viewer.log))
  }

  @Test("The fit key alternates between the subscription and the whole log")
  func fitting() throws {
    var stage = try ViewerStage(SampleLog.leak)
    let all = stage.timeline.window
    // `results` lives from 100 to 900 ms. The range has room on both sides.
    stage.type("jlllllllf")
    let life = VisibleRange(start: Nanoseconds(60 * ms), duration: 880 * ms)
    #expect(stage.timeline.window == life)
    stage.type("f")
    #expect(stage.timeline.window == all)
    #expect(stage.timeline.fitsAll)
    stage.type("f")
    #expect(stage.timeline.window == life)
    #expect(stage.timeline.window.contains(stage.timeline.cursor))
  }

  @Test("The fit key fits the marked range first")
  func fittingMarks() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "jjGm,m")
    #expect(
      stage.timeline.marks.between
        == TimeRange(from: Nanoseconds(300 * ms), through: Nanoseconds(1_000 * ms))
    )
    stage.type("f")
    #expect(stage.timeline.window == VisibleRange(start: Nanoseconds(265 * ms), duration: 770 * ms))
    stage.type("ff")
    #expect(stage.timeline.fitsAll)
  }

  @Test("The fit key still reaches the whole log if the marks equal the subscription")
  func fittingEqualRanges() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "j..m,m")
    #expect(
      stage.timeline.marks.between
        == TimeRange(from: Nanoseconds(100 * ms), through: Nanoseconds(900 * ms))
    )
    var seen: [Bool] = []
    for _ in 0..<3 {
      stage.type("f")
      seen.append(stage.timeline.fitsAll)
    }
    #expect(seen.contains(true) && seen.contains(false))
  }

  @Test("The mark keys visit the marks in turn, and a third mark replaces the oldest")
  func marks() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "'")
    #expect(stage.footer == "no mark; m sets one")
    stage.type("jjGm")
    #expect(stage.footer.hasPrefix("marked;"))
    stage.type(",m")
    #expect(stage.footer.hasPrefix("700 ms between the marks"))
    #expect(stage.screen[0].contains("A to B 700 ms"))
    stage.type("g'")
    #expect(stage.timeline.cursor.count == 1_000 * ms)
    stage.type("'")
    #expect(stage.timeline.cursor.count == 300 * ms)
    stage.type("gm")
    #expect(stage.timeline.marks.times.map(\.count) == [300 * ms, 0])
  }
}
