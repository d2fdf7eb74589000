import TerminalUI
import TraceAnalysis
import TraceFormat

extension LogEvent.Position {
  /// Before the event that stands here, and behind all others before it.
  var justBefore: LogEvent.Position {
    LogEvent.Position(time: time, file: file, offset: offset - 1)
  }

  /// Behind the event that stands here, and before all others behind it.
  var justBehind: LogEvent.Position {
    LogEvent.Position(time: time, file: file, offset: offset == .max ? .max : offset + 1)
  }
}
