import TestSupport

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerConsole

/// The expected effect of a command on a viewer.
struct CommandCheck: Sendable {
  var log = SampleLog.leak
  /// The keys to type before the command.
  let setup: String
  let holds: @Sendable (_ before: Viewer, _ after: ViewerStage) -> Bool

  init(
    _ setup: String = "", of log: String = SampleLog.leak,
    _ holds: @escaping @Sendable (_ before: Viewer, _ after: ViewerStage) -> Bool
  ) {
    self.setup = setup
    self.log = log
    self.holds = holds
  }

  /// The checks of all commands.
  static let all: [ViewerCommand: CommandCheck] =
    moving.merging(looking) { first, _ in first }.merging(finding) { first, _ in first }

  /// The checks of the keys of all panes.
  static let panes: [PaneID: CommandCheck] = [
    .subscriptions: CommandCheck("2") { $1.shows(.subscriptions, "MADE AT") },
    .events: CommandCheck { $1.shows(.events, "subscribe") },
    .detail: CommandCheck("jj") { $1.shows(.detail, "App/Model.swift:57") },
    .findings: CommandCheck { $1.shows(.findings, $0.viewed.findings[0].rule) },
    .hits: CommandCheck("/request<Enter>") { $1.shows(.hits, "App/Model.swift:57") },
    .growth: CommandCheck("mGm") { $1.shows(.growth, "request") },
    .summary: CommandCheck { $1.shows(.summary, "STARTED") },
  ]

  private static let ms = UInt64(StageLogs.ms)

  private static let moving: [ViewerCommand: CommandCheck] = [
    .left: CommandCheck("G") { $1.moved(-1, from: $0) },
    .right: CommandCheck { $1.moved(1, from: $0) },
    .farLeft: CommandCheck("G") { $1.moved(-10, from: $0) },
    .farRight: CommandCheck { $1.moved(10, from: $0) },
    .up: CommandCheck("jj") { $1.timeline.list.selected == $0.timeline.list.selected - 1 },
    .down: CommandCheck { $1.timeline.list.selected == $0.timeline.list.selected + 1 },
    .pageUp: CommandCheck("jjj", of: StageLogs.lanes(30)) {
      $0.timeline.list.selected == 3 && $1.timeline.list.selected == 0
    },
    .pageDown: CommandCheck("", of: StageLogs.lanes(30)) {
      $1.timeline.list.selected == $0.layout.timeline.count - 1
    },
    .first: CommandCheck("G") { $0.timeline.cursor > .zero && $1.timeline.cursor == .zero },
    .last: CommandCheck { $0.timeline.cursor == .zero && $1.timeline.cursor == $0.log.duration },
    .zoomIn: CommandCheck { $1.timeline.window.duration == $0.timeline.window.duration / 2 },
    .zoomOut: CommandCheck("www") {
      $1.timeline.window.duration == $0.timeline.window.duration * 2
    },
    .panLeft: CommandCheck("Gww") {
      $1.timeline.window.start < $0.timeline.window.start
        && $1.timeline.window.duration == $0.timeline.window.duration
    },
    .panRight: CommandCheck("ww") {
      $1.timeline.window.start > $0.timeline.window.start
        && $1.timeline.window.duration == $0.timeline.window.duration
    },
    .fit: CommandCheck("www") { before, after in
      before.timeline.window != after.timeline.window
        && after.timeline.window == VisibleRange(start: .zero, duration: 1_100 * ms)
    },
    .nextEvent: CommandCheck("jj") {
      $1.timeline.event?.kind == .subscribe && $1.timeline.cursor.count == 200 * ms
        && $1.timeline.chosen == 2
    },
    .previousEvent: CommandCheck("jjG") {
      $1.timeline.event?.kind == .next && $1.timeline.cursor.count == 300 * ms
    },
    .cause: CommandCheck("jjG", of: StageLogs.origins) {
      $0.chosenLane == "request" && $1.viewer.chosenLane == "query"
        && $1.timeline.cursor.count == 500 * ms
    },
    .parent: CommandCheck("jjG", of: StageLogs.origins) {
      $0.chosenLane == "request" && $1.viewer.chosenLane == "results"
        && $1.timeline.cursor.count == 500 * ms
    },
    .nextFailure: CommandCheck {
      $1.timeline.cursor.count == 600 * ms && $0.timeline.chosen != $1.timeline.chosen
    },
    .previousFailure: CommandCheck("G") {
      $1.timeline.cursor.count == 600 * ms && $1.viewer.chosenLane == "request"
    },
    .nextFinding: CommandCheck {
      $1.timeline.chosen == $0.viewed.findings.first?.lifecycle
        && $1.timeline.chosen != $0.timeline.chosen
    },
    .previousFinding: CommandCheck {
      $1.timeline.chosen == $0.viewed.groups.last?.findings.first?.lifecycle
    },
    .busiest: CommandCheck("", of: StageLogs.burst) {
      $1.timeline.cursor.count == 701 * ms && $0.timeline.cursor == .zero
        && $1.viewer.chosenLane == "burst"
        && $1.footer == "the busiest 100 ms: 33 events from 701 ms, 31 of them in burst"
    },
    .longest: CommandCheck("jj") {
      $0.timeline.chosen != 0 && $1.timeline.chosen == 0
        && $1.footer == "#4 settings lives longest: 1 s, and is active at the end"
    },
    .mark: CommandCheck("lll") {
      $0.timeline.marks.times == [] && $1.timeline.marks.times == [$0.timeline.cursor]
    },
    .record: CommandCheck("mG") {
      $0.timeline.marks.between == nil && $1.timeline.marks.between != nil
        && $1.shows(.growth, "request")
    },
    .note: CommandCheck("lll") {
      guard case .note(let time, _) = $1.viewer.prompt?.purpose else { return false }
      return time == $0.timeline.cursor
    },
    .goToMark: CommandCheck("Gmg") {
      $0.timeline.cursor == .zero && $1.timeline.cursor == $0.log.duration
    },
  ]

  private static let looking: [ViewerCommand: CommandCheck] = [
    .allEvents: CommandCheck { $1.shows(.events, "LANE") && $1.shows(.events, "results") },
    .open: CommandCheck("j") {
      $1.timeline.list.folded == [["results"]]
        && $1.timeline.list.items.count < $0.timeline.list.items.count
    },
    .foldAll: CommandCheck {
      $0.timeline.list.items.count == 4 && $1.timeline.list.items.count == 2
    },
    .listAll: CommandCheck("jj") {
      $1.viewer.panes[SubscriptionsPane.self].members == [0, 1, 2, 3]
        && $1.shows(.subscriptions, "LANE") && $0.focus == .timeline
    },
    .nextPane: CommandCheck { $0.focus == .timeline && $1.viewer.focus == .pane },
    .previousPane: CommandCheck {
      $1.viewer.focus == .pane && $1.viewer.panes.currentID == $0.panes.ids.last
        && $0.panes.currentID != $0.panes.ids.last
    },
    .enlarge: CommandCheck {
      !$0.layout.pane.isEmpty && $1.viewer.layout.pane.isEmpty
        && $1.viewer.layout.timeline.count > $0.layout.timeline.count
    },
    .shrinkPane: CommandCheck {
      $1.viewer.layout.pane.count == $0.layout.pane.count - 2
    },
    .growPane: CommandCheck {
      $1.viewer.layout.pane.count == $0.layout.pane.count + 2
    },
    .otherLog: CommandCheck {
      $1.effects == [] && $0.notice == nil
        && $1.footer == "one log is shown; trace-viewer diff A B compares two"
    },
    .clock: CommandCheck("ll") {
      !$0.timeline.showsClock && $1.screen.joined().contains("23:48:50")
    },
    .sort: CommandCheck {
      $0.viewed.arrangement.order == .time && $1.viewer.viewed.arrangement.order == .lane
    },
    .pin: CommandCheck("jj") {
      $0.outline.lanes[0].name == "settings" && $1.viewer.outline.lanes[0].name == "request"
        && $1.viewer.chosenLane == "request"
    },
    .group: CommandCheck {
      $0.viewed.arrangement.grouping == .parent && $1.viewer.viewed.arrangement.grouping == .source
    },
    .previousGrouping: CommandCheck("bb") {
      $0.viewed.arrangement.grouping == .scope && $1.viewer.viewed.arrangement.grouping == .source
    },
  ]

  private static let finding: [ViewerCommand: CommandCheck] = [
    .palette: CommandCheck { $1.viewer.prompt?.purpose == .command && $0.prompt == nil },
    .search: CommandCheck { $1.viewer.prompt?.purpose == .search && $0.prompt == nil },
    .nextHit: CommandCheck("/request<Enter>") {
      $0.timeline.chosen != $1.timeline.chosen && $1.footer.hasPrefix("hit 2 of 2")
    },
    .previousHit: CommandCheck("/request<Enter>") {
      $0.timeline.chosen != $1.timeline.chosen && $1.footer.hasPrefix("hit 2 of 2, from the end")
    },
    .filter: CommandCheck { $1.viewer.prompt?.purpose == .filter && $0.prompt == nil },
    .toggleFilter: CommandCheck("&lane:request<Enter>") {
      $0.viewed.excerpt.members.count == 2 && $1.viewer.viewed.excerpt.members.count == 4
    },
    .leaksOnly: CommandCheck {
      $0.viewed.excerpt.members.count == 4 && $1.viewer.viewed.excerpt.members == [2]
    },
    .play: CommandCheck { !$0.needsTicks && $1.viewer.needsTicks },
    .slower: CommandCheck { $1.viewer.replay?.speed.text == "1/2x" && $0.replay == nil },
    .faster: CommandCheck { $1.viewer.replay?.speed.text == "2x" && $0.replay == nil },
    .stepBack: CommandCheck("G") {
      $0.timeline.event == nil && $1.timeline.event != nil && $1.viewer.replay?.isPlaying == false
    },
    .skipGaps: CommandCheck { $0.replay == nil && $1.viewer.replay?.skipsGaps == true },
    .copy: CommandCheck { before, after in
      guard case .copy(let text) = after.effects.last else { return false }
      return text.hasPrefix("#4 settings") && before.notice == nil
    },
    .source: CommandCheck {
      $1.effects == [.open(file: "App/Model.swift", line: 12)] && $0.timeline.chosen == 0
    },
    .export: CommandCheck {
      $1.viewer.prompt == Prompt(.export("the log", nil), text: "trace.csv") && $0.prompt == nil
    },
    .exportLane: CommandCheck {
      $1.viewer.prompt == Prompt(.export("only settings ×1", [0]), text: "settings.csv")
        && $0.prompt == nil
    },
    .mouse: CommandCheck {
      !$0.terminal.usesMouse && $1.viewer.terminal.usesMouse && $1.effects == [.setMouse(true)]
    },
    .redraw: CommandCheck { $1.effects == [.redraw] && $0.notice == nil },
    .help: CommandCheck { !$0.help.isShown && $1.viewer.help.isShown },
    .back: CommandCheck {
      $1.effects == [] && $1.viewer.notice?.text == "nothing to go back from; q quits"
        && $0.focus == .timeline
    },
    .quit: CommandCheck { $1.effects == [.quit(.clean)] && $0.focus == .timeline },
    .interrupt: CommandCheck { $1.effects == [.quit(.interrupted)] && $0.focus == .timeline },
    .suspend: CommandCheck { $1.effects == [.suspend] && $0.focus == .timeline },
  ]
}

extension ViewerStage {
  /// Reports whether the cursor moved by this many columns in the same line.
  func moved(_ columns: Int, from before: Viewer) -> Bool {
    let scale = before.timeline.window.scale(columns: before.layout.cells)
    return viewer.timeline.window == before.timeline.window
      && viewer.timeline.list.selected == before.timeline.list.selected
      && scale.column(of: viewer.timeline.cursor) == scale.column(of: before.timeline.cursor)
        + columns
  }

  func shows(_ pane: PaneID, _ text: String) -> Bool {
    viewer.focus == .pane && viewer.panes.currentID == pane
      && screen[viewer.layout.pane].contains { $0.contains(text) }
  }
}

extension Viewer {
  var chosenLane: String? { timeline.chosen.map { log.lifecycles[$0].site.lane } }
}
