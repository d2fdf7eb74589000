import ReactiveTrace
import TestSupport

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import trace_viewer

/// What a command has to do, told from a viewer before it and after it.
struct CommandCheck: Sendable {
  var log = SampleLog.leak
  /// The keys before it.
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

  /// The check of every command.
  static let all: [ViewerCommand: CommandCheck] =
    moving.merging(looking) { first, _ in first }.merging(finding) { first, _ in first }

  private static let ms = UInt64(StageLogs.ms)

  private static let moving: [ViewerCommand: CommandCheck] = [
    .left: CommandCheck("G") { $1.moved(-1, from: $0) },
    .right: CommandCheck { $1.moved(1, from: $0) },
    .farLeft: CommandCheck("G") { $1.moved(-10, from: $0) },
    .farRight: CommandCheck { $1.moved(10, from: $0) },
    .up: CommandCheck("jj") { $1.viewer.item == $0.item - 1 },
    .down: CommandCheck { $1.viewer.item == $0.item + 1 },
    .pageUp: CommandCheck("jjj", of: StageLogs.lanes(30)) { $0.item == 3 && $1.viewer.item == 0 },
    .pageDown: CommandCheck("", of: StageLogs.lanes(30)) {
      $1.viewer.item == $0.layout.timeline.count - 1
    },
    .first: CommandCheck("G") { $0.cursor > .zero && $1.viewer.cursor == .zero },
    .last: CommandCheck { $0.cursor == .zero && $1.viewer.cursor == $0.log.duration },
    .zoomIn: CommandCheck { $1.viewer.window.duration == $0.window.duration / 2 },
    .zoomOut: CommandCheck("www") { $1.viewer.window.duration == $0.window.duration * 2 },
    .panLeft: CommandCheck("Gww") {
      $1.viewer.window.start < $0.window.start && $1.viewer.window.duration == $0.window.duration
    },
    .panRight: CommandCheck("ww") {
      $1.viewer.window.start > $0.window.start && $1.viewer.window.duration == $0.window.duration
    },
    .fit: CommandCheck("www") { before, after in
      before.window != after.viewer.window
        && after.viewer.window == VisibleRange(start: .zero, duration: 1_100 * ms)
    },
    .nextEvent: CommandCheck("jj") {
      $1.viewer.event?.kind == .subscribe && $1.viewer.cursor.count == 200 * ms
        && $1.viewer.chosen == 2
    },
    .previousEvent: CommandCheck("jjG") {
      $1.viewer.event?.kind == .next && $1.viewer.cursor.count == 300 * ms
    },
    .cause: CommandCheck("jjG", of: StageLogs.origins) {
      $0.chosenLane == "request" && $1.viewer.chosenLane == "query"
        && $1.viewer.cursor.count == 500 * ms
    },
    .parent: CommandCheck("jjG", of: StageLogs.origins) {
      $0.chosenLane == "request" && $1.viewer.chosenLane == "results"
        && $1.viewer.cursor.count == 500 * ms
    },
    .nextFailure: CommandCheck {
      $1.viewer.cursor.count == 600 * ms && $0.chosen != $1.viewer.chosen
    },
    .previousFailure: CommandCheck("G") {
      $1.viewer.cursor.count == 600 * ms && $1.viewer.chosenLane == "request"
    },
    .nextFinding: CommandCheck {
      $1.viewer.chosen == $0.viewed.findings.first?.lifecycle && $1.viewer.chosen != $0.chosen
    },
    .mark: CommandCheck("lll") { $0.marks.times == [] && $1.viewer.marks.times == [$0.cursor] },
    .goToMark: CommandCheck("Gmg") { $0.cursor == .zero && $1.viewer.cursor == $0.log.duration },
  ]

  private static let looking: [ViewerCommand: CommandCheck] = [
    .open: CommandCheck("j") {
      $1.viewer.folded == [["results"]] && $1.viewer.items.count < $0.items.count
    },
    .foldAll: CommandCheck { $0.items.count == 4 && $1.viewer.items.count == 2 },
    .nextPane: CommandCheck { $0.focus == .timeline && $1.viewer.focus == .pane },
    .previousPane: CommandCheck {
      $1.viewer.focus == .pane && $1.viewer.pane == .summary && $0.pane != .summary
    },
    .subscriptions: CommandCheck("2") { $1.shows(.subscriptions, "MADE AT") },
    .events: CommandCheck { $1.shows(.events, "subscribe") },
    .detail: CommandCheck("jj") { $1.shows(.detail, "App/Model.swift:57") },
    .findings: CommandCheck { $1.shows(.findings, $0.viewed.findings[0].rule) },
    .summary: CommandCheck { $1.shows(.summary, "STARTED") },
    .clock: CommandCheck("ll") { !$0.showsClock && $1.screen.joined().contains("23:48:50") },
    .sort: CommandCheck {
      $0.viewed.arrangement.order == .time && $1.viewer.viewed.arrangement.order == .lane
    },
    .group: CommandCheck {
      $0.viewed.arrangement.grouping == .parent && $1.viewer.viewed.arrangement.grouping == .source
    },
  ]

  private static let finding: [ViewerCommand: CommandCheck] = [
    .search: CommandCheck { $1.viewer.prompt?.purpose == .search && $0.prompt == nil },
    .nextHit: CommandCheck("/request<Enter>") {
      $0.chosen != $1.viewer.chosen && $1.footer.hasPrefix("hit 2 of 2")
    },
    .previousHit: CommandCheck("/request<Enter>") {
      $0.chosen != $1.viewer.chosen && $1.footer.hasPrefix("hit 2 of 2, from the end")
    },
    .filter: CommandCheck { $1.viewer.prompt?.purpose == .filter && $0.prompt == nil },
    .leaksOnly: CommandCheck {
      $0.viewed.excerpt.members.count == 4 && $1.viewer.viewed.excerpt.members == [2]
    },
    .play: CommandCheck { !$0.needsTicks && $1.viewer.needsTicks },
    .slower: CommandCheck { $1.viewer.replay?.speed.text == "1/2x" && $0.replay == nil },
    .faster: CommandCheck { $1.viewer.replay?.speed.text == "2x" && $0.replay == nil },
    .stepBack: CommandCheck("G") {
      $0.event == nil && $1.viewer.event != nil && $1.viewer.replay?.isPlaying == false
    },
    .skipGaps: CommandCheck { $0.replay == nil && $1.viewer.replay?.skipsGaps == true },
    .copy: CommandCheck { before, after in
      guard case .copy(let text) = after.effects.last else { return false }
      return text.hasPrefix("#4 settings") && before.notice == nil
    },
    .source: CommandCheck {
      $1.effects == [.open(file: "App/Model.swift", line: 12)] && $0.chosen == 0
    },
    .export: CommandCheck {
      $1.viewer.prompt == Prompt(.export("settings ×1"), text: "settings.csv") && $0.prompt == nil
    },
    .mouse: CommandCheck {
      !$0.usesMouse && $1.viewer.usesMouse && $1.effects == [.setMouse(true)]
    },
    .redraw: CommandCheck { $1.effects == [.redraw] && $0.notice == nil },
    .help: CommandCheck { !$0.showsHelp && $1.viewer.showsHelp },
    .back: CommandCheck { $1.effects == [.quit(.clean)] && $0.focus == .timeline },
    .quit: CommandCheck { $1.effects == [.quit(.clean)] && $0.focus == .timeline },
    .interrupt: CommandCheck { $1.effects == [.quit(.interrupted)] && $0.focus == .timeline },
    .suspend: CommandCheck { $1.effects == [.suspend] && $0.focus == .timeline },
  ]
}

extension ViewerStage {
  /// The cursor has moved by so many columns, in the same line.
  func moved(_ columns: Int, from before: Viewer) -> Bool {
    let scale = before.window.scale(columns: before.layout.cells)
    return viewer.window == before.window && viewer.item == before.item
      && scale.column(of: viewer.cursor) == scale.column(of: before.cursor) + columns
  }

  func shows(_ pane: PaneKind, _ text: String) -> Bool {
    viewer.focus == .pane && viewer.pane == pane
      && screen[viewer.layout.pane].contains { $0.contains(text) }
  }
}

extension Viewer {
  var chosenLane: String? { chosen.map { log.lifecycles[$0].site.lane } }
}
