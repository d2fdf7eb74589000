import Testing

@testable import InteractiveView
@testable import TerminalUI

@Suite("KeyTable")
struct KeyTableTests {
  @Test("Every command and every pane has a key and a test")
  func isComplete() {
    let meanings =
      ViewerCommand.allCases.map { KeyTable.Meaning.command($0) }
      + Panes.all.map { KeyTable.Meaning.pane(type(of: $0).id) }
    #expect(Set(KeyTable.bindings.map(\.meaning)) == Set(meanings))
    #expect(KeyTable.bindings.count == meanings.count)
    #expect(Set(CommandCheck.all.keys) == Set(ViewerCommand.allCases))
    #expect(Set(CommandCheck.panes.keys) == Set(Panes.all.map { type(of: $0).id }))
  }

  @Test("Every key of a command has its documented effect", arguments: ViewerCommand.allCases)
  func everyKey(command: ViewerCommand) throws {
    try expect(.command(command), try #require(CommandCheck.all[command]))
  }

  @Test("Every pane is shown by its key", arguments: Panes.all.map { type(of: $0).id })
  func everyPane(pane: PaneID) throws {
    try expect(.pane(pane), try #require(CommandCheck.panes[pane]))
  }

  private func expect(_ meaning: KeyTable.Meaning, _ check: CommandCheck) throws {
    let keys = KeyTable.bindings.filter { $0.meaning == meaning }.flatMap(\.keys)
    #expect(!keys.isEmpty)
    for key in keys {
      var stage = try ViewerStage(check.log, typing: check.setup)
      let before = stage.viewer
      stage.send(.input(.key(key)))
      #expect(check.holds(before, stage), "\(KeyName.of(key, isASCII: true))")
    }
  }

  @Test("Every pane has a digit and a unique title")
  func panes() {
    let titles = Panes.all.map { type(of: $0).id.title }
    #expect(Set(titles).count == titles.count)
    #expect((1...9).contains(titles.count))
  }

  @Test("No key is bound twice")
  func keysAreUnique() {
    var seen: [KeyPress: KeyTable.Meaning] = [:]
    for binding in KeyTable.bindings {
      for key in binding.keys {
        #expect(seen.updateValue(binding.meaning, forKey: key) == nil, "\(key)")
        #expect(KeyTable.meaning(of: key) == binding.meaning)
      }
    }
  }

  @Test("Familiar keys from other programs are bound")
  func wellKnownKeys() {
    let known: [(String, ViewerCommand)] = [
      ("<Left>", .left), ("h", .left), ("<Right>", .right), ("l", .right), ("<Up>", .up),
      ("k", .up),
      ("<Down>", .down), ("j", .down), ("<PgUp>", .pageUp), ("<PgDn>", .pageDown),
      ("<Home>", .first),
      ("g", .first), ("<End>", .last), ("G", .last), ("+", .zoomIn), ("w", .zoomIn),
      ("-", .zoomOut),
      ("s", .zoomOut), ("a", .panLeft), ("d", .panRight), ("f", .fit), ("T", .clock),
      (".", .nextEvent), (",", .previousEvent), ("[", .cause), ("]", .parent), ("e", .nextFailure),
      ("E", .previousFailure), ("!", .nextFinding), ("m", .mark), ("'", .goToMark),
      ("<Enter>", .open), ("z", .foldAll), ("<Tab>", .nextPane), ("S", .sort), ("b", .group),
      ("/", .search), ("n", .nextHit), ("N", .previousHit), ("&", .filter), ("L", .leaksOnly),
      ("<Space>", .play), ("<", .slower), (">", .faster), ("i", .skipGaps), ("p", .stepBack),
      ("y", .copy), ("o", .source), ("x", .export), ("X", .exportLane), ("J", .allEvents),
      ("M", .mouse), ("<C-l>", .redraw), ("?", .help),
      ("<Esc>", .back), ("<BS>", .back), ("q", .quit), ("<C-c>", .interrupt), ("<C-z>", .suspend),
    ]
    for (key, command) in known {
      #expect(KeyScript.presses(key).map(KeyTable.meaning) == [.command(command)], "\(key)")
    }
    let panes: [(String, PaneID)] = [
      ("1", .subscriptions), ("2", .events), ("3", .detail), ("4", .findings), ("5", .summary),
    ]
    for (key, pane) in panes {
      #expect(KeyScript.presses(key).map(KeyTable.meaning) == [.pane(pane)], "\(key)")
    }
  }

  @Test("Pressing a key without a function shows how to open the help")
  func unknownKeys() throws {
    var stage = try ViewerStage(CommandCheck.all[.left]?.log ?? "", typing: "W")
    #expect(stage.footer == "W does nothing here; ? lists the keys")
    #expect(stage.effects == [])
    stage.type("l")
    #expect(!stage.footer.contains("does nothing"))
  }
}
