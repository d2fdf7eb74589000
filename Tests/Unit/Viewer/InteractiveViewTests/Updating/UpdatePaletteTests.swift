import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("The list of commands")
struct UpdatePaletteTests {
  private func number(_ stage: ViewerStage) -> UInt64? {
    stage.timeline.chosenLifecycle?.id.number
  }

  @Test(
    "A number, a lane and a place go to a subscription",
    arguments: [
      ("#3", 3), ("settings", 4), ("SETT", 4), ("Model.swift:57", 2), ("App/Model.swift:57", 2),
      ("mod 12", 4), (" #2 ", 2), ("lane settings", 4), ("Lane:sett", 4),
    ] as [(String, UInt64)])
  func subscriptions(text: String, expected: UInt64) throws {
    let stage = try ViewerStage(SampleLog.leak, typing: ":\(text)<Enter>")
    #expect(number(stage) == expected)
    #expect(stage.viewer.prompt == nil)
    #expect(stage.timeline.cursor == stage.timeline.chosenLifecycle?.start)
  }

  @Test("The place where a subscription was observed goes to that subscription")
  func observed() throws {
    var stage = try ViewerStage(
      SampleLog.make([
        SampleLog.subscribe(1, "a", at: 1),
        SampleLog.subscribe(2, "a", at: 2, #","observed":"App/Cart.swift:26""#),
      ]))
    stage.type(":cart.swift:26<Enter>")
    #expect(number(stage) == 2)
  }

  @Test("A number goes to the subscription of each log that has it")
  func severalLogs() throws {
    let logs = SampleLog.leak + SampleLog.ofAnother(SampleLog.clean, process: 77, secondsLater: 1)
    var stage = try ViewerStage(logs, typing: ":#1")
    #expect(stage.viewer.prompt?.choices.all.count == 2)
    stage.type("<Down><Enter>")
    #expect(stage.timeline.chosenLifecycle?.log == 1)
  }

  /// A log with two leaks.
  private static let leaks = SampleLog.make([
    SampleLog.subscribe(1, "cart", at: 100, line: 7),
    SampleLog.subscribe(2, "badge", at: 200, line: 9, #","observed":"App/Badge.swift:26""#),
  ])

  @Test("The id of a finding selects it in the list of findings", arguments: [false, true])
  func finding(isUppercase: Bool) throws {
    var stage = try ViewerStage(Self.leaks)
    let groups = stage.viewer.viewed.groups
    try #require(groups.count == 2)
    for group in groups {
      let id = group.id.description
      stage.type("1:\(isUppercase ? id.uppercased() : id)")
      let choice = try #require(stage.viewer.prompt?.choices.selected)
      #expect(choice.action == .finding(group.id))
      #expect(choice.title == id)
      #expect(choice.note.hasPrefix(group.site.lane))
      stage.type("<Enter>")
      #expect(stage.viewer.panes.currentID == .findings)
      #expect(stage.viewer.focus == .pane)
      #expect(stage.timeline.chosen == group.findings.first?.lifecycle)
      #expect(stage.footer.contains(id))
      let row = stage.viewer.panes[FindingsPane.self].rows.selected
      #expect(row.map { groups[$0.finding].id } == group.id)
    }
  }

  @Test("A finding that the filter hides is named, and nothing moves")
  func hiddenFinding() throws {
    var stage = try ViewerStage(Self.leaks)
    let group = try #require(stage.viewer.viewed.groups.first { $0.site.lane == "badge" })
    stage.type("&lane:cart<Enter>")
    let before = stage.timeline.chosen
    stage.type(":\(group.id)<Enter>")
    #expect(stage.footer.hasPrefix("\(group.id) is hidden by the filter"))
    #expect(stage.timeline.chosen == before)
    #expect(stage.viewer.focus == .timeline)
  }

  @Test("An id without a finding is explained")
  func unknownFinding() throws {
    let stage = try ViewerStage(Self.leaks, columns: 120, typing: ":zzzzz9<Enter>")
    #expect(stage.viewer.prompt?.problem?.hasPrefix("'zzzzz9' is not a command") == true)
  }

  @Test("A time moves the cursor")
  func times() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: ":350ms<Enter>")
    #expect(stage.timeline.cursor == Nanoseconds(350_000_000))
    stage.type(":23:48:50.523456789<Enter>")
    #expect(stage.timeline.cursor == Nanoseconds(400_000_000))
  }

  @Test("Every command and every pane runs by its help text as by its key")
  func commands() throws {
    for binding in KeyTable.bindings where binding.meaning != .command(.palette) {
      let check: CommandCheck?
      switch binding.meaning {
      case .command(let command): check = CommandCheck.all[command]
      case .pane(let pane): check = CommandCheck.panes[pane]
      }
      let expected = try #require(check)
      var stage = try ViewerStage(expected.log, typing: expected.setup)
      let before = stage.viewer
      stage.type(":\(binding.help)<Enter>")
      #expect(expected.holds(before, stage), "\(binding.help)")
    }
  }

  @Test("A part of a help text finds a command, with the best match first")
  func fuzzy() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: ":sort")
    #expect(stage.viewer.prompt?.choices.selected?.action == .command(.sort))
    stage.type("<Enter>")
    #expect(stage.viewer.viewed.arrangement.order == .lane)
    stage.type(":zoom in<Enter>")
    #expect(!stage.timeline.fitsAll)
    stage.type(":list find<Enter>")
    #expect(stage.viewer.panes.currentID == .findings)
  }

  @Test("The matches are listed above the prompt, and the arrow keys choose one")
  func list() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: ":")
    let footer = stage.viewer.layout.footer
    #expect(stage.screen[footer - 9].contains("1 of \(KeyTable.bindings.count - 1)"))
    #expect(stage.screen[footer].hasPrefix(":#7  1.5s"))
    stage.type("pane")
    let first = try #require(stage.viewer.prompt?.choices.all.first)
    #expect(stage.screen[footer - 8].contains(first.title) || stage.screen[footer].contains("pane"))
    stage.type("<Down><Down><Up>")
    #expect(stage.viewer.prompt?.choices.chosen == 1)
    stage.type("<Up><Up>")
    #expect(stage.viewer.prompt?.choices.chosen == 0)
    stage.type("<Tab>")
    #expect(stage.viewer.prompt?.text == first.title)
    stage.type("<Esc>")
    #expect(!stage.screen.contains { $0.contains(" of \(KeyTable.bindings.count - 1)") })
  }

  @Test(
    "Text without a match is explained in the prompt",
    arguments: [
      ("#99", "The log has no subscription #99."),
      ("#x", "Type the number of a subscription after '#', as in #7."),
      ("9s", "The log ends at 1 s."),
      ("Cart.swift:7", "No subscription was made or observed at Cart.swift:7."),
      ("qqq", "'qqq' is not a command, a lane, a place, a time, a finding or a number such as #7."),
    ])
  func problems(text: String, sentence: String) throws {
    var stage = try ViewerStage(SampleLog.leak, columns: 120)
    let cursor = stage.timeline.cursor
    stage.type(":\(text)<Enter>")
    #expect(stage.viewer.prompt?.problem == sentence)
    #expect(stage.footer.contains(sentence))
    #expect(stage.timeline.cursor == cursor)
    stage.type("<BS>")
    #expect(stage.viewer.prompt?.problem == nil)
  }

  @Test("A subscription that the filter hides is named")
  func hidden() throws {
    let stage = try ViewerStage(SampleLog.leak, typing: "&lane:request<Enter>:#4<Enter>")
    #expect(stage.footer.hasPrefix("#4 is hidden by the filter"))
  }

  @Test("Without text, the latest commands are listed first")
  func recent() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: ":zoom in<Enter>:350ms<Enter>:")
    let choices = stage.viewer.prompt?.choices.all ?? []
    #expect(choices.prefix(2).map(\.title) == ["350ms", "zoom in at the cursor"])
    #expect(choices.first?.note == "recent")
    stage.type("<Esc>")
    let window = stage.timeline.window
    stage.type(":<C-p><C-p><Enter>")
    #expect(stage.timeline.window.duration == window.duration / 2)
  }

  @Test("The list stays valid when the log is replaced while it is open")
  func replaced() throws {
    var stage = try ViewerStage(SampleLog.leak, typing: ":settings")
    #expect(stage.viewer.prompt?.choices.all.isEmpty == false)
    try stage.restart(StageLogs.growing(2))
    #expect(stage.viewer.prompt?.choices.all.contains { $0.note == "lane" } == false)
  }

  @Test("A key in the list of a log with many lanes takes less than 16 ms")
  func manyLanes() throws {
    var stage = try ViewerStage(StageLogs.lanes(3000), typing: ":lane")
    let clock = ContinuousClock()
    let time = clock.measure { stage.type("9") }
    // An unoptimized build is about ten times slower.
    #expect(time < .milliseconds(160 * 4), "\(time)")
  }

  @Test("Only the beginnings of notes after the first few thousand are compared with the text")
  func manyNotes() throws {
    var stage = try ViewerStage(SampleLog.leak)
    stage.viewer.notes = (0..<5_000).map {
      Note(time: Nanoseconds(UInt64($0)), text: "Remark number\($0)")
    }
    stage.type(":number3999")
    #expect(stage.viewer.prompt?.choices.all.map(\.title) == ["Remark number3999"])
    stage.type("<C-u>number4999")
    #expect(stage.viewer.prompt?.choices.all.isEmpty == true)
    stage.type("<C-u>remark number4999")
    #expect(stage.viewer.prompt?.choices.all.map(\.title) == ["Remark number4999"])
  }
}
