import TerminalUI
import TraceAnalysis
import TraceFormat

/// All that the interactive view knows: a value that messages change and that views draw.
struct Viewer: Sendable {
  /// What of the terminal it has to know.
  var columns = 80
  var rows = 24
  var page = Page(width: 80, glyphs: .unicode)
  var usesMouse = false

  var viewed = ViewedLog.empty
  /// How far reading has come, and how fast a log grows.
  var reading = ReadingState()
  /// What was asked for; `viewed.arrangement` is what there is.
  var arrangement = Arrangement()

  var window = TimeStretch()
  /// The time that is pointed to.
  var cursor = Nanoseconds.zero
  /// The event that is pointed to, where several may have the same time.
  var event: LogEvent?
  /// Whether all was read and what is wrong with it was said.
  var wasComplete = false
  /// Whether all of the log is in view, also when it grows.
  var fitsAll = true
  /// Whether the end of a log that grows is kept in view.
  var keepsEnd = false
  /// Whether what is shown stays as it is while a log grows.
  var isFrozen = false
  /// What there is to show when it is no longer frozen.
  var held: (ViewedLog, ReadingState)?
  /// Whether times are those of the wall clock.
  var showsClock = false
  var marks = TimeMarks()

  /// The line of the timeline that is selected, counted from the first.
  var item = 0
  /// The first line that is in view.
  var firstItem = 0
  /// Keys of lanes that are shown in one line.
  var folded: Set<[String]> = []
  /// Those that are shown; follows from the outline and what is folded.
  private(set) var items: [TimelineRows.Item] = []
  /// The subscription that is selected, by its place in the lifecycles.
  var chosen: Int?

  var focus = Focus.timeline
  var pane = PaneKind.subscriptions
  var lists = PaneLists()
  var events = EventPage()
  var statistics: [LaneStatistics]?
  /// Of which state of the log the statistics are.
  var statisticsRead = -1
  var hasVisitedFinding = false

  var prompt: Prompt?
  var search: SearchState?
  /// Whether a hit is to be gone to when the search is through, and which way.
  var wantsFirstHit = false
  var searchesForward = true
  var replay: Replay?
  var isReplaying: Bool { replay != nil }
  /// Exports that are under way, and whether somebody who wants to quit was told.
  var exports = 0
  var warnedOfExport = false
  /// What is said in the last line until the next key.
  var notice: Notice?
  var showsHelp = false
  var helpRow = 0
  /// The column in which the mouse was pressed.
  var drag: Int?

  var log: LogAnalysis { viewed.log }
  var outline: TimelineRows { viewed.outline }
  var snapshot: LogSnapshot { viewed.snapshot }

  mutating func layOutItems() {
    items = outline.items(folded: folded)
    events = EventPage()
    item = min(item, max(0, items.count - 1))
  }

  /// The item that is selected.
  var selectedItem: TimelineRows.Item? { items.indices.contains(item) ? items[item] : nil }
  var selectedLane: TimelineRows.Lane? { selectedItem.map { outline.lanes[$0.lane] } }
}

/// Where keys go.
enum Focus: Sendable {
  case timeline, pane
}

/// What the pane below the timeline shows.
enum PaneKind: Int, CaseIterable, Sendable {
  case subscriptions, events, detail, findings, summary

  var title: String {
    switch self {
    case .subscriptions: "Subscriptions"
    case .events: "Events"
    case .detail: "Detail"
    case .findings: "Findings"
    case .summary: "Summary"
    }
  }
}

/// What is said in the last line.
struct Notice: Equatable, Sendable {
  var text: String
  var isError = false
}
