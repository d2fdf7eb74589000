import TerminalUI
import TraceAnalysis
import TraceFormat

/// The state of the interactive view. Messages change this value, and views draw it.
struct Viewer: Sendable {
  /// The properties of the terminal.
  var columns = 80
  var rows = 24
  var page = Page(width: 80, glyphs: .unicode)
  var usesMouse = false

  var viewed = ViewedLog.empty
  /// The progress of reading, and the growth rate of the log.
  var reading = ReadingState()
  /// The requested arrangement. `viewed.arrangement` is the current one.
  var arrangement = Arrangement()

  var window = VisibleRange()
  /// The selected time.
  var cursor = Nanoseconds.zero
  /// The selected event. It distinguishes events at the same time.
  var event: LogEvent?
  /// A Boolean value that indicates whether everything was read and its damage was reported.
  var wasComplete = false
  /// A Boolean value that indicates whether the whole log is in view, even while it grows.
  var fitsAll = true
  /// A Boolean value that indicates whether the end of a growing log is kept in view.
  var keepsEnd = false
  /// A Boolean value that indicates whether the view stays unchanged while a log grows.
  var isFrozen = false
  /// The state to show when the view is no longer frozen.
  var held: (ViewedLog, ReadingState)?
  /// A Boolean value that indicates whether times are those of the wall clock.
  var showsClock = false
  var marks = TimeMarks()

  /// The index of the selected line in the timeline.
  var item = 0
  /// The index of the first visible line.
  var firstItem = 0
  /// The keys of lanes that are shown on one line.
  var folded: Set<[String]> = []
  /// The shown lines, which follow from the outline and the folded lanes.
  private(set) var items: [TimelineRows.Item] = []
  /// The selected subscription, as an index in the lifecycles.
  var chosen: Int?

  var focus = Focus.timeline
  var pane = PaneKind.subscriptions
  var lists = PaneLists()
  var events = EventPage()
  var statistics: [LaneSummary]?
  /// The revision of the log that the statistics are about.
  var statisticsRead = -1
  var hasVisitedFinding = false

  var prompt: Prompt?
  var search: SearchState?
  /// A Boolean value that indicates whether to go to a hit when the search is complete.
  /// `searchesForward` is the direction.
  var wantsFirstHit = false
  var searchesForward = true
  var replay: Replay?
  var isReplaying: Bool { replay != nil }
  /// The number of running exports. `warnedOfExport` is true after the user tried to quit and was
  /// warned.
  var exports = 0
  var warnedOfExport = false
  /// The message on the last line until the next key.
  var notice: Notice?
  var showsHelp = false
  var helpRow = 0
  /// The column in which the mouse button was pressed.
  var drag: Int?

  var log: LogAnalysis { viewed.log }
  var outline: TimelineRows { viewed.outline }
  var snapshot: LogSnapshot { viewed.snapshot }

  mutating func layOutItems() {
    items = outline.items(folded: folded)
    events = EventPage()
    item = min(item, max(0, items.count - 1))
  }

  /// The selected line of the timeline.
  var selectedItem: TimelineRows.Item? { items.indices.contains(item) ? items[item] : nil }
  var selectedLane: TimelineRows.Lane? { selectedItem.map { outline.lanes[$0.lane] } }
}

/// The receiver of keys.
enum Focus: Sendable {
  case timeline, pane
}

/// The contents of the pane below the timeline.
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

/// A message on the last line.
struct Notice: Equatable, Sendable {
  var text: String
  var isError = false
}
