import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis

@Suite("Filtering and prompts")
struct UpdateFilteringTests {
  @Test("A filter is applied, shown in the header and cleared with Esc")
  func filtering() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "&lane:req*<Enter>")
    #expect(
      stage.viewer.outline.lanes.map(\.name) == ["results", "request"]
        || stage.viewer.outline.lanes.map(\.name) == ["request"])
    #expect(stage.viewer.viewed.excerpt.members == [2, 3])
    #expect(stage.screen[0].contains("filtered: lane:req*"))
    // The prompt starts with the current filter.
    stage.type("&")
    #expect(stage.viewer.prompt?.text == "lane:req*")
    stage.type("<Esc>")
    #expect(stage.viewer.viewed.excerpt.members == [2, 3])
    stage.type("<Esc>")
    #expect(stage.viewer.viewed.excerpt.members.count == 4)
    #expect(stage.effects == [])
  }

  @Test(
    "A filter combines words of different kinds",
    arguments: [
      ("lane:search.request", 4), ("lane:search.*", 11), ("source:*SearchScreen.swift", 11),
      ("value:siginal state:active", 0), ("value:dispose", 4),
    ])
  func sample(filter: String, minCount: Int) throws {
    var stage = try ViewerStage(try StageLogs.search())
    let all = stage.viewer.viewed.excerpt.members.count
    stage.type("&\(filter)<Enter>")
    #expect(stage.viewer.prompt == nil)
    let members = stage.viewer.viewed.excerpt.members
    #expect(members.count >= minCount && members.count <= all)
  }

  @Test("The header shows how much a filter shows rather than the number of records")
  func countInHeader() throws {
    var stage = try ViewerStage(try StageLogs.search())
    stage.type("&lane:search.request<Enter>")
    for columns in 60...140 {
      stage.send(.resized(columns: columns, rows: 24))
      #expect(stage.screen[0].contains("(7 of 13)"), "\(columns)")
    }
  }

  @Test("Thread and value filters match the elements of a subscription")
  func elements() throws {
    var stage = try ViewerStage(StageLogs.origins, typing: "&value:swift<Enter>")
    #expect(stage.viewer.viewed.excerpt.members == [0])
    stage.type("&<C-u>value:Swift<Enter>")
    #expect(stage.viewer.viewed.excerpt.members == [0])
    stage.type("&<C-u>value:SWIFT<Enter>")
    #expect(stage.viewer.viewed.excerpt.members == [])
    stage.type("&<C-u>thread:main<Enter>")
    #expect(stage.viewer.viewed.excerpt.members == [0, 1, 2, 3])
  }

  @Test("A thread without a name can be filtered by its number")
  func namelessThreads() throws {
    var stage = try ViewerStage(StageLogs.origins)
    // Elements arrive on thread 2, and all other events on the main thread.
    stage.type("&thread:2<Enter>")
    #expect(stage.viewer.viewed.excerpt.members == [0])
  }

  @Test("An invalid filter is explained in the prompt and doesn't change the view")
  func badFilter() throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 120, typing: "&state:busy<Enter>")
    #expect(stage.viewer.prompt?.problem?.hasPrefix("Unknown state 'busy' at") == true)
    #expect(stage.footer.contains("Unknown state 'busy' at character 7. Use active"))
    #expect(stage.viewer.viewed.excerpt.members.count == 4)
    stage.type("<BS>")
    #expect(stage.viewer.prompt?.problem == nil)
    #expect(stage.viewer.prompt?.text == "state:bus")
  }

  @Test("An empty view explains that the filter has no matches")
  func nothingFits() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "&lane:nothing<Enter>")
    #expect(stage.screen.contains { $0.contains("No matches. Esc clears the filter.") })
    stage.type("jkhl.,[]eE!<Enter>zymf")
    #expect(stage.timeline.chosen == nil)
    stage.type("<Esc>")
    #expect(stage.timeline.list.items.count == 4)
    #expect(stage.timeline.chosen != nil)
  }

  @Test("The leak filter can be combined with another filter")
  func leaks() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "&state:active<Enter>")
    #expect(stage.viewer.viewed.excerpt.members == [0, 2])
    stage.type("L")
    #expect(stage.viewer.viewed.excerpt.members == [2])
    #expect(stage.screen[0].contains("filtered: leaks state:active"))
    stage.type("&<C-u><Enter>")
    #expect(stage.viewer.viewed.excerpt.members == [2])
    stage.type("L")
    #expect(stage.viewer.viewed.excerpt.members.count == 4)
  }

  @Test("Pasted text is never interpreted as keys")
  func pasting() throws {
    var stage = try ViewerStage(SampleLog.leak)
    let before = (stage.timeline.list.selected, stage.timeline.cursor)
    stage.send(.input(.paste("jjq\u{3}\n&x")))
    #expect((stage.timeline.list.selected, stage.timeline.cursor) == before)
    #expect(stage.viewer.prompt == nil)
    stage.type("/")
    stage.send(.input(.paste("req\nuest\u{1B}[2J\u{3}")))
    #expect(stage.viewer.prompt?.text == "req uest[2J")
    #expect(stage.effects == [])
    stage.type("?q ")
    #expect(stage.viewer.prompt?.text == "req uest[2J?q ")
  }

  @Test(
    "Suspend and redraw work while a prompt is open",
    arguments: [
      ("<C-z>", Effect.suspend), ("<C-l>", .redraw),
    ])
  func programKeys(key: String, effect: Effect) throws {
    let stage = try ViewerStage(SampleLog.leak, typing: "/abc" + key)
    #expect(stage.effects == [effect])
    #expect(stage.viewer.prompt?.text == "abc")
  }

  @Test("Turning the filter off and on keeps the selection, the time range and the folded lanes")
  func toggling() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "j<Enter>kww&lane:settings<Enter>jt")
    #expect(stage.viewer.viewed.excerpt.members.count == 4)
    #expect(stage.timeline.list.folded == [["results"]])
    #expect(stage.screen[0].contains("filter off"))
    #expect(stage.footer == "filter off; t turns it on again")
    stage.type(":#3<Enter>")
    let before = (stage.timeline.cursor, stage.timeline.window, stage.timeline.list.selected)
    let chosen = stage.timeline.chosen
    #expect(chosen == 3)
    stage.type("t")
    #expect(stage.screen[0].contains("filtered: lane:settings"))
    #expect(stage.timeline.chosen == 0)
    stage.type("t")
    #expect((stage.timeline.cursor, stage.timeline.window, stage.timeline.list.selected) == before)
    #expect(stage.timeline.chosen == chosen)
  }

  @Test("A filter that is turned off can be edited or combined with the one for leaks")
  func suspended() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: "t")
    #expect(stage.footer == "no filter; & sets one")
    stage.type("&state:active<Enter>t&")
    #expect(stage.viewer.prompt?.text == "state:active")
    stage.type("<Esc>Lt")
    #expect(stage.viewer.viewed.arrangement.filter.text == "state:active")
    #expect(stage.viewer.viewed.excerpt.members == [2])
    stage.type("t&<C-u>lane:request<Enter>")
    #expect(stage.viewer.feed.suspended == nil)
    #expect(!stage.screen[0].contains("filter off"))
  }

  @Test("The timeline can be grouped by process and by log")
  func processes() throws {
    let logs = SampleLog.leak + SampleLog.ofAnother(SampleLog.clean, process: 77, secondsLater: 1)
    var stage = try ViewerStage(logs, typing: "bbbbb")
    #expect(stage.viewer.viewed.arrangement.grouping == .process)
    #expect(stage.viewer.outline.lanes.count { $0.depth == 0 } == 1)
    stage.type("b")
    #expect(stage.viewer.viewed.arrangement.grouping == .log)
    let groups = stage.viewer.outline.lanes.filter { $0.depth == 0 }.map(\.name)
    #expect(groups == ["test.jsonl  search-sample (4242)", "test.jsonl  search-sample (77)"])
    stage.type("&process:77<Enter>")
    #expect(
      stage.viewer.viewed.excerpt.members.allSatisfy { stage.viewer.log.lifecycles[$0].log == 1 })
  }
}
