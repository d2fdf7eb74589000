import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis

@Suite("Earlier entries and completion in prompts")
struct UpdatePromptTests {
  private func text(_ stage: ViewerStage) -> String? { stage.viewer.prompt?.text }

  @Test("The arrow keys show earlier entries of the same prompt")
  func history() throws {
    var stage = try ViewerStage(SampleLog.leak)
    stage.type("/one<Enter>&lane:request<Enter>/two<Enter>/one<Enter>/dra<Up>")
    #expect(text(stage) == "one")
    stage.type("<Up>")
    #expect(text(stage) == "two")
    stage.type("<Up>")
    #expect(text(stage) == "two")
    stage.type("<Down><Down>")
    #expect(text(stage) == "dra")
    stage.type("<Down>ft")
    #expect(text(stage) == "draft")
    stage.type("<Esc>&<Up>")
    #expect(text(stage) == "lane:request")
  }

  @Test("An edited entry is a new one")
  func edited() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "/one<Enter>/two<Enter>/<Up><Up>x<Enter>")
    #expect(stage.viewer.history[.search] == ["one", "two", "onex"])
    stage.type("/<Up>y<Up>")
    #expect(text(stage) == "onex")
  }

  @Test("An entry that is refused isn't remembered, and neither is an empty one")
  func refused() throws {
    var stage = try ViewerStage(SampleLog.leak)
    stage.type("&state:busy<Enter><Esc>/<Enter>x<C-u>trace<Enter>")
    #expect(stage.viewer.history[.filter] == [])
    #expect(stage.viewer.history[.search] == [])
    #expect(stage.viewer.history[.export] == [])
    stage.type("<Esc>x<Enter>")
    #expect(stage.viewer.history[.export] == ["trace.csv"])
  }

  @Test(
    "Tab completes the kinds and the values of a filter",
    arguments: [
      ("&sta", "state:"), ("&state:act", "state:active"), ("&lane:set", "lane:settings"),
      ("&lane:SET", "lane:settings"), ("&state:active la", "state:active lane:"),
      ("&lif", "life>"), ("&err", "error:"), ("&ali", "alive:"),
      ("&source:App", "source:App/Model.swift"), ("&thread:ma", "thread:main"),
      ("&sett", "settings"), ("/sett", "settings"), ("/mod", "Model.swift"),
      ("&lane:", "lane:settings"), ("&-la", "-lane:"), ("&!state:fa", "!state:failed"),
      ("&has:", "has:finding"), ("&proc", "process:"),
    ])
  func completion(keys: String, expected: String) throws {
    var stage = try ViewerStage(SampleLog.leak)
    stage.type((keys.hasPrefix("&") ? "&<C-u>" : "/") + keys.dropFirst() + "<Tab>")
    #expect(text(stage) == expected)
    #expect(stage.viewer.prompt?.cursor == expected.count)
  }

  @Test("Tab takes turns among several candidates, which are listed, and Shift-Tab goes back")
  func several() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "&s<Tab>")
    #expect(text(stage) == "source:")
    #expect(stage.viewer.prompt?.choices.all.map(\.title).prefix(2) == ["source:", "scope:"])
    #expect(stage.screen.contains { $0.hasPrefix(" scope:") })
    stage.type("<Tab>")
    #expect(text(stage) == "scope:")
    stage.type("<S-Tab>")
    #expect(text(stage) == "source:")
    stage.type("<S-Tab>")
    #expect(text(stage) == "settings")
    stage.type("x")
    #expect(stage.viewer.prompt?.choices.all.isEmpty == true)
    #expect(text(stage) == "settingsx")
  }

  @Test("A completion in the middle of the text keeps the rest")
  func middle() throws {
    var stage = try ViewerStage(SampleLog.leak)
    stage.type("&state:fail dur>1s<Home>" + String(repeating: "<Right>", count: 10) + "<Tab>")
    #expect(text(stage) == "state:failed dur>1s")
    #expect(stage.viewer.prompt?.cursor == 12)
  }

  @Test("A completed name with spaces is quoted")
  func quoted() throws {
    var stage = try ViewerStage(
      SampleLog.make([
        #"{"t":1,"event":"scope-begin","scope":1,"name":"Search screen"}"#,
        SampleLog.subscribe(1, "a lane", at: 2, #","scope":1"#),
      ]))
    stage.type("&scope:Sea<Tab>")
    #expect(text(stage)?.hasPrefix("scope:\"Search screen") == true)
    stage.type("<Enter>")
    #expect(stage.viewer.viewed.excerpt.members == [0])
    stage.type("&<C-u>lane:\"a l<Tab>")
    #expect(text(stage) == "lane:\"a lane\"")
  }

  @Test("Tab completes the ending of an export file")
  func export() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "x<C-u>a.b/out<Tab>")
    #expect(text(stage) == "a.b/out.pftrace")
    stage.type("<C-u>out.c<Tab>")
    #expect(text(stage) == "out.csv")
  }

  @Test("Tab without a candidate says so")
  func nothing() throws {
    let stage = try ViewerStage(SampleLog.leak, typing: "/nowhere<Tab>")
    #expect(stage.footer == "/nowhere  nothing to complete")
    #expect(text(stage) == "nowhere")
  }
}
