import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis

@Suite("Links and lines of source files")
struct UpdateSourcesTests {
  private static let code = (1...60).map { "line \($0)" }.joined(separator: "\n")

  private func links(_ stage: ViewerStage) -> [String] {
    ScreenView(viewer: stage.viewer).frame.lines.flatMap(\.spans).compactMap {
      $0.style.link?.address
    }
  }

  @Test("The pane of details shows the lines around the place, and its place is a link")
  func preview() throws {
    var stage = try ViewerStage(SampleLog.leak, rows: 60, sources: ["App/Model.swift": Self.code])
    stage.type("jj3")
    let screen = stage.screen
    #expect(screen.contains("code          55  line 55"))
    #expect(screen.contains("            > 57  line 57"))
    #expect(screen.contains("              59  line 59"))
    #expect(links(stage).contains("file:///code/App/Model.swift#57"))
    stage.type("<Tab>kk3")
    #expect(stage.screen.contains("            > 12  line 12"))
  }

  @Test("Moving over the lines of the source keeps them")
  func moving() throws {
    var stage = try ViewerStage(SampleLog.leak, rows: 60, sources: ["App/Model.swift": Self.code])
    stage.type("jj3")
    let code = DetailText(stage.viewer).rows.firstIndex { $0.isCode }
    let row = try #require(code)
    stage.type(String(repeating: "j", count: row + 1))
    #expect(stage.screen.contains("            > 57  line 57"))
    stage.type("oy")
    #expect(stage.effects == [.open(file: "App/Model.swift", line: 56), .copy("line 56")])
  }

  @Test("Without the file, there are neither lines nor links")
  func missing() throws {
    let stage = try ViewerStage(SampleLog.leak, rows: 60, typing: "jj3")
    #expect(!stage.screen.contains { $0.hasPrefix("code") })
    #expect(links(stage).isEmpty)
  }

  @Test("Findings and subscriptions are linked to their places")
  func lists() throws {
    var stage = try ViewerStage(SampleLog.leak, sources: ["App/Model.swift": Self.code])
    stage.type("4<Tab>")
    #expect(links(stage) == ["file:///code/App/Model.swift#57"])
    stage.type("jj1<Tab>")
    #expect(links(stage).allSatisfy { $0 == "file:///code/App/Model.swift#57" })
    #expect(!links(stage).isEmpty)
  }

  @Test("A log is looked for once, even if it grows")
  func once() throws {
    var viewer = try ViewerStage(SampleLog.leak).viewer
    let reading = ReadingState()
    #expect(
      !viewer.update(.arranged(viewer.viewed, reading)).contains { effect in
        if case .locate = effect { true } else { false }
      })
  }
}
