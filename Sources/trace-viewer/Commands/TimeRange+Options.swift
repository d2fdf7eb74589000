import TraceAnalysis
import TraceFormat
import ViewerCommandLine
import ViewerConsole

extension TimeRange {
  /// Returns the time range of `--from` and `--to`: times since the beginning of the first log, or
  /// marks of the logs.
  static func of(
    _ arguments: ParsedArguments, _ log: LogAnalysis
  ) throws(UsageError) -> TimeRange {
    var (start, end) = (always.start, always.end)
    let command = arguments.command ?? .report
    let until = "--until"
    if let text = arguments[.from] {
      start = try moment(text, "--from", command, log, after: .zero)
    }
    if let text = arguments[.until] {
      end = try moment(text, until, command, log, after: start)
    }
    if end < start { throw .emptyTime(until, command) }
    if start > log.duration {
      let length = DurationText(isASCII: true)(log.duration)
      throw UsageError(
        .wrongValue, command, "'--from' is after the end of the logs, which last \(length).")
    }
    return TimeRange(from: start, through: end)
  }

  /// Returns a time, or the time of the first mark with a name. For a repeated name, it is the
  /// first mark at or after `start`.
  private static func moment(
    _ text: String, _ option: String, _ command: CommandSpec.Name, _ log: LogAnalysis,
    after start: Nanoseconds
  ) throws(UsageError) -> Nanoseconds {
    if let time = TimeText.nanoseconds(text) { return time }
    // Bytes are compared because two different spellings of one letter are different names.
    let times = log.marks.filter { $0.name.utf8.elementsEqual(text.utf8) }.map(\.time)
    if let time = times.filter({ $0 >= start }).min() ?? times.max() { return time }
    throw .unknownTime(text, option, marks: log.marks.map(\.name), command)
  }
}
