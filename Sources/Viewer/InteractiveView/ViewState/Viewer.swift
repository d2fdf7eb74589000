import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
package import ViewerConsole

/// The state of the interactive view. Messages change this value, and views draw it.
///
/// Each part maintains its own invariants. Code that involves several parts is in `Updating`.
package struct Viewer: Noticing, Sendable {
  var terminal: TerminalState
  var feed: LogFeed
  var timeline = TimelineState()
  var panes: PaneState
  var focus = Focus.timeline
  var search = SearchState()
  /// The filter that is typed, and the number of subscriptions that it would show, once known.
  var typedFilter: (filter: ViewFilter, count: Int?)?
  var replay: Replay?
  /// The recording of what grows, until it ends.
  var recording: GrowthRecording?
  /// The notes of the user, in the order of their times.
  var notes: [Note] = []
  var saved = SavedViewState()
  var prompt: Prompt?
  var history = PromptHistory()
  var exports = ExportState()
  /// What the last export was about.
  var exporting: Prompt.Purpose?
  var sources: SourceFiles
  var help = HelpState()
  /// The order that the user asked for, until the sorted log arrives.
  var sortedOrder: ListOrder?
  /// The log that this is in a comparison, or nil if there is only one.
  var compared: ComparedState?
  /// The message on the last line until the next key.
  var notice: Notice?
  var split = ViewLayout.Split.fitting
  /// The number of lines of the pane with the focus, or 0 if that does not matter.
  var paneLines = 0

  /// Creates the state before anything is read.
  ///
  /// - Parameter follows: A Boolean value that indicates whether the log may grow.
  init(
    _ terminal: TerminalState, panes: [any Pane], follows: Bool, replay: Replay?,
    sources: SourceFiles = SourceFiles()
  ) {
    self.terminal = terminal
    self.sources = sources
    self.panes = PaneState(panes)
    feed = LogFeed(follows: follows)
    if follows { timeline.keepEnd() }
    self.replay = replay
  }

  var page: Page { terminal.page }
  var viewed: ViewedLog { timeline.viewed }
  var log: LogAnalysis { viewed.log }
  var outline: TimelineRows { viewed.outline }
  var snapshot: LogSnapshot { viewed.snapshot }
  var isReplaying: Bool { replay != nil }
  /// A Boolean value that indicates whether the viewer needs ticks of the clock.
  var needsTicks: Bool { replay?.isPlaying ?? false }

  var layout: ViewLayout {
    ViewLayout(
      columns: terminal.columns, rows: terminal.rows, labels: outline.labelColumns,
      items: timeline.list.items.count,
      legend: legend.count, paneLines: paneLines,
      hasOverview: !log.lifecycles.isEmpty && hasSubscriptions, split: split,
      hasFocusInPane: focus == .pane)
  }

  /// The meanings of the signs in the timeline, if there may be room for them.
  var legend: [Line] {
    guard terminal.rows >= ViewLayout.minRowsForLegend, !log.lifecycles.isEmpty, hasSubscriptions
    else { return [] }
    return terminal.legend
  }

  /// A Boolean value that indicates whether one of the logs is that of a program, and not only of a
  /// search for leaked objects.
  var hasSubscriptions: Bool {
    log.logs.isEmpty || log.logs.contains { $0.searched == nil }
  }

  /// The statistics that the marks and the filter ask for.
  var summaryKey: SummaryKey { SummaryKey(viewed, range: timeline.marks.between) }

  /// The time range in which to look for what grew: between the marks or, without marks, all of a
  /// log that no longer grows.
  var growthRange: TimeRange? {
    if let between = timeline.marks.between { return between }
    guard timeline.marks.times.isEmpty, feed.reading.isComplete, !feed.reading.follows else {
      return nil
    }
    return TimeRange(from: .zero, through: log.duration)
  }
  var growthKey: SummaryKey { SummaryKey(viewed, range: growthRange) }

  /// The end of a message that something was not found, if a filter hides a part of the log.
  var filterHint: String {
    feed.arrangement.filter.isEmpty ? "" : " in what the filter shows"
  }

  /// The notes on the time axis. They are about the axis of all logs.
  var shownNotes: [Note] { snapshot.isAligned ? [] : notes }

  /// The note in the column of the cursor.
  var noteAtCursor: Note? {
    let scale = timeline.window.scale(columns: layout.cells)
    let column = scale.column(of: timeline.cursor)
    let (notes, window) = (shownNotes, timeline.window)
    return notes.first { $0.time == timeline.cursor }
      ?? notes.first { window.contains($0.time) && scale.column(of: $0.time) == column }
  }

  /// Moves the cursor to a time, which pauses a replay.
  mutating func point(to time: Nanoseconds) {
    timeline.point(to: time)
    replay?.pause()
  }

  /// Returns the start of a search. If no event is selected, an event at exactly the time of the
  /// cursor counts as ahead in both directions.
  func searchStart(_ direction: SearchState.Direction) -> LogEvent.Position {
    if let event = timeline.event { return event.position }
    switch direction {
    case .forward: return LogEvent.Position(before: timeline.cursor)
    case .backward: return LogEvent.Position(after: timeline.cursor)
    }
  }

  /// Goes to the row of a subscription and to a time, by default the time of its beginning.
  mutating func go(to index: Int, at time: Nanoseconds? = nil) {
    guard timeline.go(to: index, at: time) else {
      let name = page.safe(log.name(of: log.lifecycles[index]))
      say("\(name) is hidden by the filter")
      return
    }
  }
}

/// A text of the user at a time.
struct Note: Equatable, Sendable {
  let time: Nanoseconds
  let text: String
  /// The bytes of the beginning of the text in lowercase, with which typed text is compared.
  let folded: [UInt8]

  init(time: Nanoseconds, text: String) {
    self.time = time
    self.text = text
    folded = Array(text.prefix(Prompt.longest).lowercased().utf8)
  }
}

/// The receiver of keys.
enum Focus: Sendable {
  case timeline, pane
}

/// A message on the last line.
struct Notice: Equatable, Sendable {
  var text: String
  var isError = false
}

/// A view that shows notices.
protocol Noticing {
  var notice: Notice? { get set }
}

extension Noticing {
  mutating func say(_ text: String) { notice = Notice(text: text) }

  /// Says why a command does nothing, and returns no effects to perform.
  mutating func refuse(_ text: String) -> [Effect] {
    say(text)
    return []
  }
}

/// The properties of the terminal.
package struct TerminalState: Sendable {
  private(set) var columns: Int
  private(set) var rows: Int
  private(set) var page: Page
  /// The meanings of the signs in the timeline, in as few lines as fit.
  private(set) var legend: [Line]
  var usesMouse: Bool
  /// Where the mouse button was pressed in the timeline or in the overview.
  var drag: Drag?

  /// The start of a selection with the mouse.
  struct Drag: Sendable {
    let column: Int
    let isInOverview: Bool
  }

  package init(
    columns: Int = 80, rows: Int = 24, glyphs: Glyphs = .unicode, usesMouse: Bool = false
  ) {
    self.columns = columns
    self.rows = rows
    self.usesMouse = usesMouse
    page = Page(width: columns, glyphs: glyphs)
    legend = SignsView.legend(columns: columns, page)
  }

  mutating func resize(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    page = Page(width: self.columns, glyphs: page.glyphs)
    legend = SignsView.legend(columns: self.columns, page)
  }
}

/// The list of keys, or of the terms of queries, which covers the screen while it is shown.
struct HelpState: Sendable {
  private(set) var isShown = false
  /// A Boolean value that indicates whether only the terms of queries are listed.
  private(set) var isAboutQueries = false
  /// The first visible line.
  private(set) var row = 0

  mutating func show(isAboutQueries: Bool = false) {
    isShown = true
    self.isAboutQueries = isAboutQueries
    row = 0
  }

  /// Scrolls, or closes the help with a command that doesn't scroll.
  ///
  /// - Parameters:
  ///   - count: The number of lines of the help.
  ///   - rows: The number of rows of the terminal.
  mutating func take(_ command: ViewerCommand?, count: Int, rows: Int) {
    // The first line when the end is visible.
    let last = max(0, count - (rows - 2))
    let page = max(1, rows - 3)
    switch command {
    case .up: row -= 1
    case .down: row += 1
    case .pageUp: row -= page
    case .pageDown, .play: row += page
    case .first: row = 0
    case .last: row = last
    default: isShown = false
    }
    row = min(max(0, row), last)
  }
}

/// The exports that are running.
struct ExportState: Sendable {
  private var running = 0
  private var hasWarned = false

  mutating func start() { running += 1 }

  mutating func finish() { running = max(0, running - 1) }

  /// Reports whether the user may quit. The first attempt during an export is refused.
  mutating func mayQuit() -> Bool {
    guard running > 0, !hasWarned else { return true }
    hasWarned = true
    return false
  }
}
