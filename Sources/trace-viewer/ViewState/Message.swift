import TerminalUI
import TraceAnalysis
import TraceFormat

/// Something that the viewer is told.
enum Message: Sendable {
  case input(TerminalInput)
  case resized(columns: Int, rows: Int)
  /// More of the log, or the same arranged in another way.
  case arranged(ViewedLog, ReadingState)
  /// How far reading has come where nothing else is new.
  case progressed(ReadingState)
  case read(EventPage)
  case found(EventSearchRequest, LogEvent?)
  case searched(SearchState)
  case summarized([LaneStatistics], of: SummaryKey)
  /// Whether it was done is said; where it was not because there is such a file, its path.
  case exported(Notice, existing: String?)
  case said(Notice)
  /// The time of a clock, in nanoseconds of any beginning, while something is playing.
  case ticked(UInt64)
}

/// Something to be done that is not a matter of what the viewer knows.
enum Effect: Sendable, Equatable {
  /// Answered by `arranged`; of the state of the log that is shown where that is frozen, else of the latest.
  case arrange(Arrangement, isFrozen: Bool)
  /// Answered by `read`.
  case read(EventRequest)
  /// Answered by `found`.
  case find(EventSearchRequest)
  /// Answered by `searched`, several times.
  case search(SearchText)
  case stopSearch
  /// Answered by `summarized`.
  case summarize
  /// To the clipboard of whoever sits at the terminal.
  case copy(String)
  /// An editor, at a line.
  case open(file: String, line: Int)
  /// To a file whose name says the format; answered by `exported`.
  case export(path: String, members: ExportMembers, overwrites: Bool)
  case setMouse(Bool)
  case redraw
  case suspend
  case quit(ExitCode)
}

/// What is exported.
enum ExportMembers: Sendable, Equatable {
  /// Everything that the filter lets through, in a stretch of time; nil is all of it.
  case shown(TimeStretch?)
  /// Places in the lifecycles.
  case some([Int], TimeStretch?)
}

/// How far reading has come.
struct ReadingState: Equatable, Sendable {
  var bytesRead = 0
  var bytesTotal = 0
  var isComplete = false
  /// Whether the log may still grow.
  var follows = false
  /// Records a second, while a log grows.
  var rate: Int?
  /// Why reading stopped, or what a file is that cannot be read.
  var problem: String?
  /// Whether nothing has the name any more of the file that is followed.
  var isGone = false
  /// Why what is shown cannot be read again.
  var change: String?

  /// From 0 to 1.
  var share: Double {
    bytesTotal > 0 ? min(1, Double(bytesRead) / Double(bytesTotal)) : 0
  }
}

/// What numbers are about.
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

/// Whose events are meant.
enum EventScope: Equatable, Sendable {
  /// One subscription, by its place in the lifecycles.
  case subscription(Int)
  /// The subscriptions of a line of the timeline.
  case row(TimelineRows.Item)
  /// All that the filter lets through.
  case shown
}

/// Events to be read around a time.
struct EventRequest: Equatable, Sendable {
  var scope: EventScope
  var position: LogEvent.Position
  var before: Int
  var after: Int
  /// Whether all keys of the event at the position are asked for.
  var wantsFields = false
  /// Of which state of the log; another one may have more.
  var revision: Int
}

/// Events that were read.
struct EventPage: Sendable {
  var request: EventRequest?
  /// In the order of their positions.
  var events: [LogEvent] = []
  /// The last one at the position or before it.
  var current: Int?
  /// All keys of the current one, as the log has them.
  var fields: [(key: String, value: String)] = []
}

/// An event to be gone to.
struct EventSearchRequest: Equatable, Sendable {
  enum Purpose: Equatable, Sendable {
    /// The cursor goes there.
    case point
    /// The replay goes there.
    case step
  }

  var scope: EventScope
  var position: LogEvent.Position
  var forward: Bool
  var purpose: Purpose
}
