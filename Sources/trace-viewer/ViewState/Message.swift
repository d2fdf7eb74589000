import TerminalUI
import TraceAnalysis
import TraceFormat

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
  case searched(SearchState)
  case summarized([LaneSummary], of: SummaryKey)
  /// An export has ended with the given notice. `existing` is the path if the export failed because
  /// the file exists.
  case exported(Notice, existing: String?)
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
  case search(SearchText)
  case stopSearch
  /// Computes the statistics. The answer is `summarized`.
  case summarize
  /// Copies a text to the clipboard of the user at the terminal.
  case copy(String)
  /// Opens a file in an editor, at a line.
  case open(file: String, line: Int)
  /// Exports to a file whose name determines the format. The answer is `exported`.
  case export(path: String, members: ExportMembers, overwrites: Bool)
  case setMouse(Bool)
  case redraw
  case suspend
  case quit(ExitCode)
}

/// The subscriptions to export.
enum ExportMembers: Sendable, Equatable {
  /// Everything that passes the filter, in a time range, or in the whole time if it is `nil`.
  case shown(TimeRange?)
  /// The subscriptions at some indices in the lifecycles, in a time range.
  case some([Int], TimeRange?)
}

/// The progress of reading.
struct ReadingState: Equatable, Sendable {
  var bytesRead = 0
  var bytesTotal = 0
  var isComplete = false
  /// A Boolean value that indicates whether the log may still grow.
  var follows = false
  /// The number of records per second, while a log grows.
  var rate: Int?
  /// The reason that reading stopped, or a description of a file that cannot be read.
  var problem: String?
  /// A Boolean value that indicates whether no file has the name of the followed log any more.
  var isGone = false
  /// The reason that the shown data cannot be read again.
  var change: String?

  /// The share that has been read, from 0 to 1.
  var share: Double {
    bytesTotal > 0 ? min(1, Double(bytesRead) / Double(bytesTotal)) : 0
  }
}

/// The state of the log and the filter that statistics are about.
struct SummaryKey: Equatable, Sendable {
  let revision: Int
  let restarts: Int
  let filter: ViewFilter

  init(_ viewed: ViewedLog) {
    revision = viewed.snapshot.revision
    restarts = viewed.snapshot.restarts
    filter = viewed.arrangement.filter
  }
}

/// The subscriptions whose events are requested.
enum EventScope: Equatable, Sendable {
  /// One subscription, by its index in the lifecycles.
  case subscription(Int)
  /// The subscriptions of a line of the timeline.
  case row(TimelineRows.Item)
  /// Everything that passes the filter.
  case shown
}

/// A request for the events around a position.
struct EventRequest: Equatable, Sendable {
  var scope: EventScope
  var position: LogEvent.Position
  var before: Int
  var after: Int
  /// A Boolean value that indicates whether all keys of the event at the position are requested.
  var wantsFields = false
  /// The revision of the log. Another revision may have more events.
  var revision: Int
}

/// The events for a request.
struct EventPage: Sendable {
  var request: EventRequest?
  /// The events in the order of their positions.
  var events: [LogEvent] = []
  /// The index of the last event at or before the position.
  var current: Int?
  /// All keys of the current event, as they are in the log.
  var fields: [(key: String, value: String)] = []
}

/// A request for the next or previous event.
struct EventSearchRequest: Equatable, Sendable {
  enum Purpose: Equatable, Sendable {
    /// The cursor goes to the event.
    case point
    /// The replay goes to the event.
    case step
  }

  var scope: EventScope
  var position: LogEvent.Position
  var forward: Bool
  var purpose: Purpose
}
