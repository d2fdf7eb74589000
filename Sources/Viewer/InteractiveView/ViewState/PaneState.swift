import TerminalUI
import TraceAnalysis
import TraceFormat

/// A pane below the timeline: what it shows, and what keys and the mouse do in it.
///
/// `Panes.all` lists the panes. Functions that take the viewer `inout` get it without the pane
/// itself. The changed pane replaces any changes that they make to the pane in the viewer.
protocol Pane: Sendable {
  static var id: PaneID { get }
  /// The help text of the key that shows the pane.
  static var help: String { get }

  /// Returns what the pane is about, or `nil` if it is about the whole log.
  func subject(in viewer: Viewer) -> String?
  /// Returns the lines, at most as many as the pane has rows. It is called for each frame, so it
  /// must not look at all subscriptions of a large log.
  func lines(_ viewer: Viewer) -> [Line]
  /// Returns the number of lines that the pane would show with enough rows, or 0 if more rows are
  /// not worth a smaller timeline. It is called after each message while the pane has the focus.
  mutating func lineCount(_ viewer: Viewer) -> Int
  /// Returns the events that the pane shows, or `nil` if it shows none.
  func events(_ viewer: Viewer) -> EventRequest?
  /// Returns the hits whose texts the pane shows, or `nil` if it shows none.
  func hits(_ viewer: Viewer) -> HitRequest?
  /// Returns the place whose source lines the pane shows, or `nil` if it shows none.
  func preview(_ viewer: Viewer) -> SourcePlace?
  /// A Boolean value that indicates whether the pane shows the statistics of lanes.
  var needsStatistics: Bool { get }
  /// A Boolean value that indicates whether the pane shows what grew between the marks.
  var needsGrowth: Bool { get }

  /// Adapts the pane to a changed viewer. It is called after each message while the pane is
  /// visible.
  mutating func adapt(to viewer: Viewer)
  /// Discards everything that depends on the log, because another state of the log is shown.
  mutating func forgetLog()
  mutating func scrollToTop()

  mutating func move(_ movement: PaneMovement, in viewer: inout Viewer)
  /// Points the timeline to the selected line.
  mutating func point(in viewer: inout Viewer)
  /// Performs the action of the Enter key.
  mutating func open(in viewer: inout Viewer)
  mutating func click(_ position: PanePosition, in viewer: inout Viewer)
  /// Folds or unfolds lines of the pane. Returns false if the pane has no lines that fold, so that
  /// the keys act in the timeline.
  mutating func fold(_ change: PaneFold, in viewer: inout Viewer) -> Bool
  /// Sorts the lines of the pane by another column, if it has columns of its own.
  mutating func sort(in viewer: Viewer) -> PaneSorting

  /// Sorts the lines by the column with a letter. Other letters have their usual meaning.
  mutating func sort(by letter: Character, in viewer: Viewer) -> PaneSorting
  /// A Boolean value that indicates whether the pane is about what is chosen in the timeline, so
  /// that its keys act on that.
  var showsChoice: Bool { get }
  /// Returns the text to copy, if any.
  func copiedText(in viewer: Viewer) -> String?
  /// Returns what to open in the editor.
  func source(in viewer: Viewer) -> SourceTarget
}

/// The identity of a pane.
struct PaneID: Hashable, Sendable {
  let title: String
}

/// A movement in the list of a pane.
enum PaneMovement: Sendable {
  case by(Int), first, last

  /// Returns the row to go to in a list.
  func target(from row: Int, count: Int) -> Int {
    switch self {
    case .by(let distance): row + distance
    case .first: 0
    case .last: count - 1
    }
  }
}

/// A change of the folded lines of a pane: of the selected line, or of all lines.
enum PaneFold: Sendable {
  case fold, unfold, toggleAll
}

/// A cell of a pane.
struct PanePosition: Sendable {
  let row: Int
  let column: Int
}

/// The panes, one of which is shown, and what was read for them.
struct PaneState: Sendable {
  private(set) var all: [any Pane]
  private var shown = 0
  /// A Boolean value that indicates whether the user has chosen which pane is shown.
  private var isChosen = false
  /// The pane that replaces the shown one while a prompt is open.
  private var peeked: PaneID?
  private(set) var events = EventPage()
  private(set) var hits = HitPage()
  var statistics = StatisticsState()
  var growth = GrowthState()

  init(_ panes: [any Pane]) {
    precondition(!panes.isEmpty)
    all = panes
  }

  /// The shown pane.
  var current: any Pane { all[peeked.flatMap { index(of: $0) } ?? shown] }
  var currentID: PaneID { type(of: current).id }
  /// The identity of the pane that is shown when no prompt is open.
  var chosenID: PaneID { type(of: all[shown]).id }
  var ids: [PaneID] { all.map { type(of: $0).id } }

  /// Returns the number of a pane, which is also its key.
  func number(of id: PaneID) -> Int? { index(of: id).map { $0 + 1 } }

  private func index(of id: PaneID) -> Int? { all.firstIndex { type(of: $0).id == id } }

  /// Returns a pane of a type, which must be in the list.
  subscript<P: Pane>(_ type: P.Type) -> P {
    guard let pane = all.lazy.compactMap({ $0 as? P }).first else {
      preconditionFailure("The list of panes has no \(type).")
    }
    return pane
  }

  mutating func replace(_ pane: any Pane) {
    if let index = index(of: type(of: pane).id) { all[index] = pane }
  }

  /// Shows a pane from its beginning.
  mutating func show(_ id: PaneID) {
    turn(to: id)
    scrollToTop()
  }

  /// Shows a pane as it was left.
  mutating func turn(to id: PaneID) {
    if let index = index(of: id) { shown = index }
  }

  /// Notes that the user has chosen the shown pane.
  mutating func settle() { isChosen = true }

  /// Shows a pane unless the user has chosen one.
  mutating func suggest(_ id: PaneID) {
    if !isChosen, chosenID != id { show(id) }
  }

  /// Shows another pane for a while, or the one before again.
  mutating func peek(_ id: PaneID?) { peeked = id }

  mutating func turnToLast() { shown = all.count - 1 }

  /// Shows the previous pane. Returns false if the first one is shown.
  mutating func turnBack() -> Bool {
    guard shown > 0 else { return false }
    shown -= 1
    return true
  }

  mutating func scrollToTop() {
    for index in all.indices { all[index].scrollToTop() }
  }

  /// Forgets everything that depends on the state of the log.
  mutating func forgetLog() {
    events = EventPage()
    hits = HitPage()
    for index in all.indices { all[index].forgetLog() }
  }

  mutating func take(_ page: EventPage) { events = page }

  mutating func take(_ page: HitPage) { hits = page }
}

/// What the key for sorting does in a pane.
enum PaneSorting: Equatable, Sendable {
  /// The lines were sorted by the column with this title.
  case by(String)
  /// The order of the timeline applies to the pane.
  case ofTimeline
  /// The lines can't be sorted, for the reason in the sentence.
  case fixed(String)
}

/// A note of the last request, so that nothing is requested twice.
struct LatestRequest: Sendable {
  private var key: SummaryKey?

  /// Notes a request. Returns false if it was the last one already.
  mutating func note(_ key: SummaryKey) -> Bool {
    guard key != self.key else { return false }
    self.key = key
    return true
  }
}

/// The statistics of lanes, which take a while to compute.
struct StatisticsState: Sendable {
  private(set) var lanes: [LaneSummary]?
  /// A Boolean value that indicates whether the log can't be read for the statistics any more.
  private(set) var isUnreadable = false
  /// The range of times that the statistics are about, or `nil` for the whole log.
  private(set) var range: TimeRange?
  /// A number that changes whenever other statistics are shown.
  private(set) var revision = 0
  var request = LatestRequest()

  /// Takes statistics. Those of another filter are ignored. Those of an earlier state of the log
  /// are used until newer ones arrive.
  mutating func take(_ lanes: [LaneSummary]?, _ key: SummaryKey, wanted: SummaryKey) {
    guard key.isAboutSame(as: wanted) else { return }
    self.lanes = lanes
    isUnreadable = lanes == nil
    range = key.range
    revision += 1
  }

  mutating func clear() {
    lanes = nil
    revision += 1
  }
}

/// The state of the log, the filter and the range of times that statistics are about.
struct SummaryKey: Equatable, Sendable {
  let revision: Int
  let restarts: Int
  let filter: ViewFilter
  /// The range between two marks, or `nil` for the whole log.
  let range: TimeRange?

  init(_ viewed: ViewedLog, range: TimeRange?) {
    self.range = range
    revision = viewed.snapshot.revision
    restarts = viewed.snapshot.restarts
    filter = viewed.arrangement.filter
  }

  /// Reports whether two keys are about the same range, filter and log, whose states may differ.
  func isAboutSame(as other: SummaryKey) -> Bool {
    range == other.range && filter == other.filter && restarts == other.restarts
  }
}

/// What grew between the marks, which takes a while to find.
struct GrowthState: Sendable {
  private var found: (rows: [Increase], key: SummaryKey)?
  /// A number that changes when the rows are about something else.
  private(set) var revision = 0
  var request = LatestRequest()

  /// Takes what grew. The growth in another range or with another filter is ignored. That of an
  /// earlier state of the log is used until a newer one arrives.
  mutating func take(_ rows: [Increase], _ key: SummaryKey, wanted: SummaryKey) {
    guard key.isAboutSame(as: wanted) else { return }
    if found?.key.isAboutSame(as: key) != true { revision += 1 }
    found = (rows, key)
  }

  /// Returns what grew, or `nil` until it is found.
  func rows(_ wanted: SummaryKey) -> [Increase]? {
    guard let found, found.key.isAboutSame(as: wanted) else { return nil }
    return found.rows
  }
}

/// The recording of what grows while a log is written.
struct GrowthRecording: Equatable, Sendable {
  /// The first time of the recording, which is after everything that the log had when it began.
  let start: Nanoseconds
}
