import TraceAnalysis
import TraceFormat

/// A stretch of time on the axis of the logs, with both its ends.
struct TimeWindow: Equatable {
  var from = Nanoseconds.zero
  var until = Nanoseconds(.max)

  var hasEnd: Bool { until != Nanoseconds(.max) }

  func contains(_ time: Nanoseconds) -> Bool {
    from <= time && time <= until
  }

  /// Whether something that lasts is in it for any moment; nil is an end that nobody knows.
  func meets(_ begin: Nanoseconds?, _ end: Nanoseconds?) -> Bool {
    begin ?? .zero <= until && end ?? Nanoseconds(.max) >= from
  }

  /// What `--from` and `--to` say: times since the beginning of the first log, or marks of the logs.
  static func of(
    _ arguments: ParsedArguments, _ log: LogAnalysis
  ) throws(UsageError) -> TimeWindow {
    var window = TimeWindow()
    let command = arguments.command ?? .report
    // What is `--to` elsewhere names the format of an export.
    let until = command == .export ? "--until" : "--to"
    if let text = arguments[.from] {
      window.from = try moment(text, "--from", command, log, after: .zero)
    }
    if let text = arguments[.until] {
      window.until = try moment(text, until, command, log, after: window.from)
    }
    if window.until < window.from { throw .emptyTime(until, command) }
    if window.from > log.duration {
      let end = DurationText(isASCII: true)(log.duration)
      throw UsageError(
        .wrongValue, command, "'--from' is after the end of the logs, which last \(end).")
    }
    return window
  }

  /// A time, or that of the first mark of a name; of a name that comes again and again the first from `start` on.
  private static func moment(
    _ text: String, _ option: String, _ command: CommandSpec.Name, _ log: LogAnalysis,
    after start: Nanoseconds
  ) throws(UsageError) -> Nanoseconds {
    if let time = TimeText.nanoseconds(text) { return time }
    // Bytes are compared: two spellings of one letter are two names.
    let times = log.marks.filter { $0.name.utf8.elementsEqual(text.utf8) }.map(\.time)
    if let time = times.filter({ $0 >= start }).min() ?? times.max() { return time }
    throw .unknownTime(text, option, marks: log.marks.map(\.name), command)
  }
}
