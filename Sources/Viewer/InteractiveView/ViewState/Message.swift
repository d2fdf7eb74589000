import TerminalUI
import TraceAnalysis
import ViewerConsole

/// A message to the viewer.
enum Message: Sendable {
  case input(TerminalInput)
  case resized(columns: Int, rows: Int)
  /// The log has new records, or its arrangement has changed.
  case arranged(ViewedLog, ReadingState)
  /// Reading has progressed, without any other news.
  case progressed(ReadingState)
  case read(EventPage)
  case found(EventSearchRequest, LogEvent?)
  case searched(SearchResult)
  /// The rows of a comparison that a query selects, or nil if a log can't be read any more.
  case comparedRows([Int]?, of: Query)
  /// The number of subscriptions that pass a filter.
  case counted(Int, of: ViewFilter)
  case readHits(HitPage)
  /// The statistics, or nil if the log can't be read any more.
  case summarized([LaneSummary]?, of: SummaryKey)
  case grew([Increase], of: SummaryKey)
  /// An export has ended with the given notice. `existing` is the path if the export failed because
  /// the file exists.
  case exported(Notice, existing: String?)
  /// The paths of source files below the current folder, by their names in the log.
  case located([String: String])
  case readSource(SourceLines)
  case said(Notice)
  /// The time of a clock, in nanoseconds from any origin, while a replay is playing.
  case ticked(UInt64)
}

/// An action that involves more than the state of the viewer.
enum Effect: Sendable, Equatable {
  /// Arranges the shown state of a frozen log, or else the latest state. The answer is `arranged`.
  case arrange(Arrangement, isFrozen: Bool)
  /// Reads events. The answer is `read`.
  case read(EventRequest)
  /// Finds an event. The answer is `found`.
  case find(EventSearchRequest)
  /// Starts a search. The answers are several `searched` messages.
  case search(Query)
  case stopSearch
  /// Counts the subscriptions that pass a filter. The answer is `counted`.
  case count(ViewFilter)
  /// Reads the texts of hits. The answer is `readHits`.
  case readHits(HitRequest)
  /// Computes the statistics. The answer is `summarized`.
  case summarize(TimeRange?)
  /// Finds what grew in a range of times. The answer is `grew`.
  case findGrowth(TimeRange)
  /// Copies a string to the clipboard of the user at the terminal.
  case copy(String)
  /// Opens a file in an editor, at a line.
  case open(file: String, line: Int)
  /// Exports to a file whose name determines the format. The answer is `exported`.
  case export(path: String, members: ExportMembers, overwrites: Bool)
  /// Looks for source files below the current folder. The answer is `located`.
  case locate(Set<String>)
  /// Reads the lines around a place from a file. The answer is `readSource`.
  case readSource(SourcePlace, path: String)
  /// Writes the view to the file next to the log.
  case save(SavedView)
  case setMouse(Bool)
  case redraw
  case suspend
  /// Opens a lane of a comparison in the full view of a log.
  case openSide(ComparedSide, ComparedPlace)
  /// Shows the other log of a comparison.
  case turn
  case quit(ExitCode)
}

/// The subscriptions to export.
enum ExportMembers: Sendable, Equatable {
  /// Everything that passes the filter, in a time range, or in the whole time if it is `nil`.
  case shown(TimeRange?)
  /// The subscriptions at some indices in the lifecycles, in a time range.
  case some(MemberList, TimeRange?)
}

/// A command of the viewer, independent of its key and the focus.
enum ViewerCommand: Hashable, CaseIterable, Sendable {
  // Moving
  case left, right, up, down, farLeft, farRight, pageUp, pageDown, first, last
  case zoomIn, zoomOut, panLeft, panRight, fit
  case nextEvent, previousEvent, cause, parent, nextFailure, previousFailure, nextFinding,
    previousFinding, busiest, longest
  case mark, goToMark, note, record
  // Viewing
  case open, foldAll, listAll, allEvents, nextPane, previousPane
  case otherLog, clock, sort, group, previousGrouping, pin, enlarge, shrinkPane, growPane
  // Finding
  case palette, search, nextHit, previousHit, filter, toggleFilter, leaksOnly
  // Replaying
  case play, slower, faster, stepBack, skipGaps
  // Exporting
  case copy, source, export, exportLane
  case mouse, redraw, help, back, quit, interrupt, suspend
}
