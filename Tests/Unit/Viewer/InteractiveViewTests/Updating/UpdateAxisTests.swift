import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Several logs on one time axis")
struct UpdateAxisTests {
  private static func logs(secondsLater: Int) -> String {
    SampleLog.leak
      + SampleLog.ofAnother(SampleLog.clean, process: 77, secondsLater: secondsLater)
  }

  private func starts(_ stage: ViewerStage) -> [UInt64] {
    stage.viewer.log.lifecycles.map(\.start.count)
  }

  @Test("Runs at different times begin at 0, and T changes to wall-clock time and back")
  func runs() throws {
    var stage = try ViewerStage(Self.logs(secondsLater: 8))
    #expect(stage.viewer.snapshot.isAligned)
    #expect(stage.viewer.log.duration.count == 1_000_000_000)
    #expect(starts(stage).max() == 400_000_000)
    #expect(stage.screen[3].hasPrefix("all start at 0"))
    stage.type("jjT")
    #expect(!stage.viewer.snapshot.isAligned)
    #expect(stage.timeline.showsClock)
    #expect(stage.viewer.log.duration.count == 9_000_000_000)
    #expect(stage.screen[3].hasPrefix("UTC"))
    #expect(starts(stage).max() == 8_200_000_000)
    stage.type("T")
    #expect(!stage.viewer.snapshot.isAligned)
    #expect(!stage.timeline.showsClock)
    stage.type("T")
    #expect(stage.viewer.snapshot.isAligned)
    #expect(stage.footer == "each log begins at 0")
  }

  @Test("Logs of the same time have one time axis until T aligns their starts")
  func processes() throws {
    var stage = try ViewerStage(Self.logs(secondsLater: 1))
    #expect(!stage.viewer.snapshot.isAligned)
    #expect(stage.viewer.log.duration.count == 2_000_000_000)
    stage.type("T")
    #expect(stage.viewer.snapshot.isAligned)
    #expect(stage.viewer.log.duration.count == 1_000_000_000)
    stage.type("T")
    #expect(stage.timeline.showsClock)
  }

  @Test("The selected subscription stays selected, and the cursor goes to its beginning")
  func selection() throws {
    var stage = try ViewerStage(Self.logs(secondsLater: 8), typing: ":#2<Down><Enter>mlm")
    let name = stage.viewer.log.name(of: try #require(stage.timeline.chosenLifecycle))
    #expect(name.contains("(77)"))
    #expect(stage.timeline.cursor.count > 200_000_000)
    #expect(stage.timeline.marks.between != nil)
    stage.type("T")
    #expect(
      stage.viewer.log.name(of: try #require(stage.timeline.chosenLifecycle)) == name)
    #expect(stage.timeline.cursor.count == 8_200_000_000)
    #expect(stage.timeline.marks.times.isEmpty)
  }

  @Test("The events of aligned logs have the times of their own logs")
  func events() throws {
    var stage = try ViewerStage(Self.logs(secondsLater: 8), columns: 120, rows: 50, typing: "J")
    let pane = stage.screen[stage.viewer.layout.pane].joined(separator: "\n")
    #expect(pane.contains("0.9 s") || pane.contains("900"))
    #expect(!pane.contains("8.2 s"))
    stage.type("<Esc>/value:a<Enter>")
    #expect(stage.timeline.cursor.count == 300_000_000)
  }

  @Test("Exports have one time axis, so a marked range needs it, too")
  func exports() throws {
    var stage = try ViewerStage(Self.logs(secondsLater: 8), typing: "mlmx<C-u>a.csv<Enter>")
    #expect(stage.effects.isEmpty)
    #expect(stage.footer.contains("A to B needs one time axis"))
    stage.type("<Esc><Esc>x<C-u>a.csv<Enter>")
    #expect(stage.effects == [.export(path: "a.csv", members: .shown(nil), overwrites: false)])
  }

  @Test("Notes need one time axis")
  func notes() throws {
    var stage = try ViewerStage(Self.logs(secondsLater: 8), typing: "c")
    #expect(stage.viewer.prompt == nil)
    #expect(stage.footer == "notes need one time axis; T shows wall-clock time")
    stage.type("Tchere<Enter>")
    #expect(stage.viewer.shownNotes.count == 1)
    stage.type("TT")
    #expect(stage.viewer.shownNotes.isEmpty)
    #expect(stage.viewer.notes.count == 1)
  }
}
