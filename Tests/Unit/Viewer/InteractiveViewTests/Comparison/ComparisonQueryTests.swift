import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Searching a comparison")
struct ComparisonQueryTests {
  private func stage() throws -> ComparisonStage {
    try ComparisonStage(ComparisonLogs.kinds.old, ComparisonLogs.kinds.new, rows: 40)
  }

  @Test(
    "A query selects the rows of the subscriptions that it selects in either log",
    arguments: [
      ("state:failed", ["fails"]), ("error:timeout", ["fails"]), ("error:/T.*t/", ["fails"]),
      ("error:TIMEOUT", []), ("lane:ne*", ["new"]),
      ("life>550ms", ["leaks", "fixed", "still leaks", "new"]),
      ("rule:undisposed", ["leaks", "fixed", "still leaks"]),
      ("lane:*ed and not state:completed", ["fixed"]), ("Timeout or lane:gone", ["fails", "gone"]),
    ])
  func selection(query: String, names: [String]) throws {
    var stage = try stage()
    stage.type("/\(query)<Enter>")
    let found = stage.viewer.hits.map { stage.viewer.logs.rows[$0].name }
    #expect(Set(found) == Set(names), "\(query)")
  }

  @Test("The rows are those of the query on each log alone")
  func sameSelection() throws {
    let (old, new) = try ComparisonLogs.search()
    let stage = try ComparisonStage(old, new)
    for text in ["signal", "value:/[0-9]+/", "state:completed", "elements>3", "-lane:search.*"] {
      let query = try Query(text)
      var names: Set<String> = []
      for source in stage.viewer.logs.sources {
        let matches = try query.matches(in: source.log, QueryFacts(source.findings))
        for index in matches.indices where matches[index] {
          names.insert(source.log.lifecycles[index].site.lane)
        }
      }
      let rows = try #require(stage.viewer.logs.rows(selectedBy: query))
      #expect(Set(rows.map { stage.viewer.logs.rows[$0].name }) == names, "\(text)")
    }
  }

  @Test("A query that can't be read has a reason, and stays in the prompt")
  func problem() throws {
    var stage = try stage()
    stage.type("/life>")
    #expect(stage.footer.contains("life>"))
    #expect(!stage.footer.contains("hit"))
    stage.type("<Enter>")
    #expect(stage.viewer.prompt?.problem != nil)
    stage.type("<Esc>")
    #expect(stage.viewer.prompt == nil)
  }

  @Test("Tab completes names of both logs, and the arrows recall earlier queries")
  func typing() throws {
    var stage = try stage()
    stage.type("/lane:go<Tab>")
    #expect(stage.viewer.prompt?.text == "lane:gone")
    stage.type("<Enter>/lane:ne<Tab><Enter>")
    #expect(stage.selectedName == "new")
    stage.type("/<Up>")
    #expect(stage.viewer.prompt?.text == "lane:new")
    stage.type("<Up>")
    #expect(stage.viewer.prompt?.text == "lane:gone")
    #expect(stage.selectedName == "gone")
    stage.type("<Down><Down>")
    #expect(stage.viewer.prompt?.text == "")
  }

  @Test("F1 lists all terms, and any key returns to the prompt")
  func terms() throws {
    var stage = try stage()
    stage.type("/lane:<F1>")
    #expect(stage.screen[0] == "QUERIES")
    #expect(stage.screen.contains { $0.contains("alive:") })
    stage.type("x")
    #expect(stage.viewer.prompt?.text == "lane:")
  }

  @Test("Until a search is complete, the prompt says so, and nothing moves")
  func searching() throws {
    var viewer = try stage().viewer
    var effects: [Effect] = []
    for press in KeyScript.presses("/new") { effects = viewer.update(.key(press)) }
    let query = try Query("new")
    #expect(effects == [.search(query)])
    #expect(ComparisonScreen(viewer: viewer).frame.lines.contains { $0.text == "/new  searching" })
    #expect(viewer.list.row == 0)
    viewer.take(nil, of: query)
    #expect(
      ComparisonScreen(viewer: viewer).frame.lines.contains {
        $0.text == "/new  the file has changed"
      })
    // The result of an earlier search is ignored.
    viewer.take([3], of: try Query("ne"))
    #expect(viewer.list.row == 0)
  }
}
