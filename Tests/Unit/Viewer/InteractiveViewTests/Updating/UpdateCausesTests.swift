import TestSupport
import Testing
import ViewerTestSupport

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceFormat

@Suite("Findings and their retention paths")
struct UpdateCausesTests {
  private func pane(_ stage: ViewerStage) -> [String] {
    Array(stage.screen[stage.viewer.layout.pane])
  }

  private func rows(_ stage: ViewerStage) -> FindingRows {
    stage.viewer.panes[FindingsPane.self].rows
  }

  private func press(_ stage: inout ViewerStage, column: Int, row: Int) {
    let row = stage.viewer.layout.pane.lowerBound + row
    stage.send(.input(.mouse(MousePress(kind: .press(button: 0), column: column, row: row))))
    stage.send(.input(.mouse(MousePress(kind: .release(button: 0), column: column, row: row))))
  }

  // MARK: Which pane is shown first

  @Test("The findings pane is shown first if there are findings, and the timeline keeps the focus")
  func firstPane() throws {
    var stage = try ViewerStage(CauseLogs.leak)
    #expect(stage.viewer.panes.currentID == .findings)
    #expect(stage.viewer.focus == .timeline)
    #expect(pane(stage).contains { $0.contains("error[retain-cycle]") })
    stage.type("jjww")
    #expect(stage.viewer.panes.currentID == .findings)
    stage = try ViewerStage(SampleLog.clean)
    #expect(stage.viewer.panes.currentID == .subscriptions)
    // Nothing is proven, but no more records can arrive.
    stage = try ViewerStage(SampleLog.died)
    #expect(stage.viewer.panes.currentID == .findings)
  }

  @Test("The findings pane is shown as soon as a growing log has a proven finding")
  func appearing() throws {
    var stage = try Self.following(CauseLogs.growing(3))
    #expect(stage.viewer.panes.currentID == .subscriptions)
    stage.type("jjw")
    try stage.grow(CauseLogs.growing(5, proven: [1]))
    #expect(stage.viewer.panes.currentID == .findings)
    #expect(stage.viewer.focus == .timeline)
  }

  @Test(
    "A pane that was chosen by a key stays open",
    arguments: ["2<Esc>", "1<Esc>", "<Tab>", "<Tab><Tab>", "<S-Tab><Tab>", "3"])
  func chosen(keys: String) throws {
    var stage = try Self.following(CauseLogs.growing(3))
    stage.type(keys)
    let before = stage.viewer.panes.currentID
    let focus = stage.viewer.focus
    try stage.grow(CauseLogs.growing(5, proven: [1]))
    #expect(stage.viewer.panes.currentID == before)
    #expect(stage.viewer.focus == focus)
  }

  @Test("A pane that was chosen by a click stays open")
  func clicked() throws {
    var stage = try Self.following(CauseLogs.growing(3))
    stage.type("M")
    press(&stage, column: 3, row: 1)
    stage.type("<Esc>")
    try stage.grow(CauseLogs.growing(5, proven: [1]))
    #expect(stage.viewer.panes.currentID == .subscriptions)
  }

  private static func following(_ log: String) throws -> ViewerStage {
    var stage = try ViewerStage(SampleLog.header + "\n")
    try stage.restart(SampleLog.header + "\n")
    try stage.grow(log)
    return stage
  }

  // MARK: The list

  @Test("Each mistake is listed once, with its place and advice")
  func list() throws {
    let stage = try ViewerStage(CauseLogs.leak, columns: 120, rows: 40, typing: "4")
    let lines = pane(stage).filter { !$0.isEmpty }
    // What keeps the selected one alive is below the list.
    #expect(lines.count == 11)
    #expect(lines[6].hasPrefix("holder      "))
    #expect(
      lines[0].hasPrefix(
        "▸ error[retain-cycle]  8vve0m  search.results #1 ×2  SearchScreen.swift:26  "))
    #expect(
      lines[1]
        == "    Capture self weakly: [weak self].  4 upstream subscriptions leak with them")
    #expect(lines[2].hasPrefix("  error[undisposed]  2783k4  feed.rows #7  Feed.swift:12  "))
    #expect(lines[3] == "    Dispose the subscription, or remove what holds it from global cache.")
    #expect(stage.screen[0].contains("3 findings"))
  }

  @Test("A mistake unfolds into its subscriptions and folds again")
  func folding() throws {
    var stage = try ViewerStage(CauseLogs.leak, typing: "4<Right>")
    #expect(
      pane(stage).dropFirst(2).prefix(6).map { String($0.prefix(30)) } == [
        "    ├ ! #1 search.results  act", "    │ ├ ! #2 search.query  act",
        "    │ └ ! #3 search.keystrokes", "    └ ! #4 search.results  act",
        "      ├ ! #5 search.query  act", "      └ ! #6 search.keystrokes",
      ])
    #expect(pane(stage)[0].hasPrefix("▾"))
    // The finding can be folded from any of its subscriptions.
    stage.type("jjjj<Left>")
    #expect(pane(stage)[0].hasPrefix("▸"))
    #expect(rows(stage).list.row == 0)
    stage.type("<Left>")
    #expect(stage.footer == "nothing to fold")
    stage.type("j<Right>")
    #expect(stage.footer == "nothing to unfold")
    stage.type("z")
    #expect(rows(stage).all.count == 12)
    stage.type("z")
    #expect(rows(stage).all.count == 6)
  }

  @Test("The horizontal keys move the cursor in panes that can't fold")
  func otherPanes() throws {
    var stage = try ViewerStage(CauseLogs.leak, typing: "1ll")
    #expect(stage.timeline.cursor > .zero)
    stage = try ViewerStage(CauseLogs.leak)
    stage.type("4ll")
    #expect(stage.timeline.cursor == .zero)
    stage.type("<Esc>ll")
    #expect(stage.timeline.cursor > .zero)
  }

  @Test("Moving in the list of findings selects their subscriptions in the timeline")
  func moving() throws {
    var stage = try ViewerStage(CauseLogs.leak, typing: "4")
    for (key, id) in [("j", 6), ("j", 7), ("j", 7), ("k", 6), ("g", 0), ("k", 0), ("G", 7)] {
      stage.type(key)
      #expect(stage.timeline.chosen == id, "\(key)")
    }
    stage.type("g<Right>")
    for (key, id) in [("j", 0), ("j", 1), ("j", 2), ("j", 3), ("<PgDn>", 7), ("<PgUp>", 0)] {
      stage.type(key)
      #expect(stage.timeline.chosen == id, "\(key)")
    }
  }

  @Test("The key for the next finding cycles through the mistakes")
  func nextFinding() throws {
    var stage = try ViewerStage(CauseLogs.leak)
    var seen: [Int?] = []
    for _ in 0..<4 {
      stage.type("!")
      seen.append(stage.timeline.chosen)
    }
    #expect(seen == [0, 6, 7, 0])
  }

  @Test("Findings stay selected and unfolded while the log grows")
  func growing() throws {
    var stage = try Self.following(CauseLogs.growing(3, proven: [1]))
    stage.type("4<Right>j")
    #expect(stage.timeline.chosen == 1)
    try stage.grow(CauseLogs.growing(9, proven: [1]))
    #expect(rows(stage).all.count == 4)
    guard case .subscription(1, _) = rows(stage).selected?.content else {
      Issue.record("\(String(describing: rows(stage).selected))")
      return
    }
    // Another subscription of the same cycle is added to the finding.
    try stage.grow(CauseLogs.growing(12, proven: [1, 4]))
    guard case .subscription(1, _) = rows(stage).selected?.content else {
      Issue.record("\(String(describing: rows(stage).selected))")
      return
    }
    #expect(rows(stage).all.count == 8)
    try stage.restart(SampleLog.clean)
    #expect(rows(stage).all.isEmpty)
  }

  @Test("A click folds or selects a finding")
  func mouse() throws {
    var stage = try ViewerStage(CauseLogs.leak, typing: "M")
    press(&stage, column: 0, row: 0)
    #expect(stage.viewer.focus == .pane)
    #expect(pane(stage)[0].hasPrefix("▾"))
    #expect(stage.timeline.chosen == 0)
    press(&stage, column: 20, row: 3)
    #expect(stage.timeline.chosen == 1)
    press(&stage, column: 0, row: 0)
    #expect(pane(stage)[0].hasPrefix("▸"))
    // A click on advice selects its finding, and a click below the list selects nothing.
    press(&stage, column: 0, row: 3)
    #expect(stage.timeline.chosen == 6)
    press(&stage, column: 0, row: 7)
    #expect(stage.timeline.chosen == 6)
  }

  @Test("All subscriptions of a finding are shown as leaks, including consequences")
  func suspects() throws {
    let stage = try ViewerStage(CauseLogs.leak)
    #expect(stage.viewer.viewed.suspects == [0, 1, 2, 3, 4, 5, 6, 7])
  }

  @Test("A lane filter finds a mistake by its consequences")
  func filtered() throws {
    var stage = try ViewerStage(CauseLogs.leak, typing: "&lane:search.query<Enter>4")
    #expect(stage.viewer.viewed.groups.count == 1)
    stage.type("j")
    #expect(stage.footer == "#1 is hidden by the filter")
    stage.type("<Right>jj")
    #expect(stage.timeline.chosen == 1)
  }

  // MARK: The detail

  @Test(
    "The detail pane shows the observed place, the holder, and the cycle with the step to break")
  func detail() throws {
    let stage = try ViewerStage(CauseLogs.leak, typing: "4<Enter>")
    #expect(stage.viewer.panes.currentID == .detail)
    #expect(
      pane(stage).prefix(9) == [
        "finding     error[retain-cycle] kept alive by a retain cycle for 900 ms",
        "observed    SearchSample/SearchScreen.swift:26  SearchScreen.init(api:)",
        "holder      It is in a bag, SearchScreen.bag, and SearchScreen is still alive.",
        "held by     a cycle of 3 steps; each holds the next",
        "╭▶┬─ closure at SearchScreen.swift:26  captures self strongly  ◀─ break it here",
        "│ │    Capture self weakly: [weak self].",
        "│ ├─ SearchScreen.bag                  DisposeBag",
        "╰─┴─ subscription of search.results    #1, active for 900 ms, 0 elements",
        "with it     2 upstream subscriptions: #2 search.query, #3 search.keystrokes",
      ])
  }

  @Test("The detail pane shows the observed place of any subscription")
  func observed() throws {
    let stage = try ViewerStage(CauseLogs.leak, rows: 40, typing: "/harmless<Enter>3")
    #expect(pane(stage).contains("observed    App/Feed.swift:12  Feed.load()"))
    #expect(pane(stage).first?.hasPrefix("state ") == true)
  }

  @Test("For a consequence, the detail pane names the leak that causes it")
  func consequence() throws {
    let stage = try ViewerStage(CauseLogs.leak, typing: "4<Right>jj<Enter>")
    #expect(pane(stage)[0] == "leaks with  #1 search.results  retain-cycle")
    #expect(pane(stage)[1].hasPrefix("observed    SearchSample/SearchScreen.swift:26"))
  }

  @Test("The detail pane shows the holder and a note if no path was found")
  func noPath() throws {
    let stage = try ViewerStage(CauseLogs.leak, columns: 120, typing: "4G<Enter>")
    let text = pane(stage).joined(separator: "\n")
    #expect(text.contains("advice      Dispose it with its owner"))
    #expect(text.contains("holder      Nobody can dispose it: the disposable was discarded."))
    #expect(text.contains("note        No holder was found among 12 MB"))
    #expect(!text.contains("held by"))
  }

  @Test("The detail pane shows the line that was selected last")
  func detailOfLine() throws {
    var stage = try ViewerStage(CauseLogs.leak, typing: "<Esc>jjjjj4")
    #expect(stage.timeline.chosen != 0)
    stage.type("3")
    #expect(stage.timeline.chosen == 0)
    #expect(pane(stage)[0].contains("retain-cycle"))
  }

  @Test("Each step of a path opens its source, if it has one")
  func steps() throws {
    var stage = try ViewerStage(CauseLogs.leak, typing: "4<Enter>")
    var opened: [String] = []
    for _ in 0..<9 {
      let count = stage.effects.count
      stage.type("o")
      if stage.effects.count > count, case .open(let file, let line) = stage.effects.last {
        opened.append("\(file):\(line)")
      } else {
        opened.append(stage.footer)
      }
      stage.type("j")
    }
    let lane = "App/Model.swift:50"
    let closure = "SearchSample/SearchScreen.swift:26"
    #expect(
      opened == [
        lane, closure, lane, lane, closure, closure, "SearchSample/SearchScreen.swift:18",
        "the log has no source location for subscription of search.results", lane,
      ])
  }

  @Test("The place where a finding was observed can be opened from the list")
  func openingFromList() throws {
    let stage = try ViewerStage(CauseLogs.leak, typing: "4ojo")
    #expect(
      stage.effects == [
        .open(file: "SearchSample/SearchScreen.swift", line: 26),
        .open(file: "App/Feed.swift", line: 12),
      ])
  }

  @Test("A step of a path can be copied")
  func copying() throws {
    let stage = try ViewerStage(CauseLogs.leak, typing: "4<Enter>jjjjy")
    #expect(
      stage.effects == [
        .copy(
          "closure at SearchScreen.swift:26  captures self strongly  "
            + "SearchSample/SearchScreen.swift:26")
      ])
  }

  @Test("A click selects a step of a path")
  func clickingSteps() throws {
    var stage = try ViewerStage(CauseLogs.leak, typing: "M4<Enter>")
    press(&stage, column: 10, row: 6)
    stage.type("o")
    #expect(stage.effects.last == .open(file: "SearchSample/SearchScreen.swift", line: 18))
  }

  @Test("The detail pane scrolls to the top for another subscription, but not when the log grows")
  func scrolling() throws {
    var stage = try ViewerStage(CauseLogs.leak, typing: "4<Enter>jjjjj")
    #expect(stage.viewer.panes[DetailPane.self].row == 5)
    stage.type("<Esc>j")
    #expect(stage.viewer.panes[DetailPane.self].row == 0)
    stage = try Self.following(CauseLogs.growing(3, proven: [1]))
    stage.type("4<Enter>jjjjj")
    try stage.grow(CauseLogs.growing(9, proven: [1]))
    #expect(stage.viewer.panes[DetailPane.self].row == 5)
  }

  @Test("A long cycle shows every step, and its advice is at the top and near the step to break")
  func long() throws {
    var stage = try ViewerStage(CauseLogs.long(70, breaking: 50), typing: "4<Enter>")
    #expect(pane(stage).contains("advice      Set Node50.next to nil when it is no longer needed."))
    #expect(pane(stage).contains("held by     probably a cycle of 65 steps; each holds the next"))
    var opened: Set<Int> = []
    for _ in 0..<90 {
      stage.type("j")
      if pane(stage).contains(where: { $0.contains("─ Node50.next") }) {
        #expect(pane(stage).contains { $0.contains("Node51?  ◀─ break it here") })
      }
      let count = stage.effects.count
      stage.type("o")
      if stage.effects.count > count, case .open("App/Node.swift", let line) = stage.effects.last {
        opened.insert(line - 1)
      }
    }
    #expect(opened == Set(0..<70))
  }

  @Test(
    "Hostile text in a path is displayed safely at every screen size",
    arguments: [(80, 24), (40, 12), (20, 5), (200, 60)])
  func hostile(columns: Int, rows: Int) throws {
    var stage = try ViewerStage(CauseLogs.hostile, columns: columns, rows: rows, typing: "4z")
    var last: [String] = []
    for key in ["", "j", "j", "<Enter>"] + Array(repeating: "jjjjj", count: 30) + ["o", "y"] {
      // Five lines further, the same screen is the end of the list.
      if key == "jjjjj", stage.screen == last { continue }
      last = stage.screen
      stage.type(key)
      let frame = ScreenView(viewer: stage.viewer).frame
      #expect(frame.lines.count <= rows)
      for line in frame.lines {
        #expect(line.columns <= columns)
        #expect(
          line.text.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0x202E
          })
      }
    }
  }

  @Test("The list, the tree and the cycle fit a pane that covers the timeline")
  func small() throws {
    var stage = try ViewerStage(CauseLogs.tail, columns: 40, rows: 12, typing: "4<Right>")
    #expect(pane(stage)[0] == "▾ ! search.…sults #1  SearchS…n.swift:26")
    #expect(pane(stage)[3] == "    └ ! #3 sear…ystrokes  Model.swift:36")
    stage.type("<Enter>")
    var seen = ""
    for _ in 0..<30 {
      seen += pane(stage).joined(separator: "\n")
      stage.type("j")
    }
    for piece in [
      "╭▶┬─ closure", "◀─ break it here", "╰─┼─ SearchScreen.rows", "  ╰▶ subscription",
    ] {
      #expect(seen.contains(piece), "\(piece)")
    }
  }
}
