import TerminalUI
import TraceAnalysis
import TraceFormat

extension LogEvent.Position {
  /// The position just before the event at this position and after all earlier ones.
  var justBefore: LogEvent.Position {
    LogEvent.Position(time: time, file: file, offset: offset - 1)
  }

  /// The position just after the event at this position and before all later ones.
  var justBehind: LogEvent.Position {
    LogEvent.Position(time: time, file: file, offset: offset == .max ? .max : offset + 1)
  }
}
