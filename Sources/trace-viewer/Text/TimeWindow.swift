import TraceAnalysis
import TraceFormat

/// A time range on the axis of the logs, including both its ends.
struct TimeWindow: Equatable {
  var from = Nanoseconds.zero
  var until = Nanoseconds(.max)

  var hasEnd: Bool { until != Nanoseconds(.max) }

  func contains(_ time: Nanoseconds) -> Bool {
    from <= time && time <= until
  }

  /// Reports whether something overlaps the time range. `nil` is an unknown end.
  func meets(_ begin: Nanoseconds?, _ end: Nanoseconds?) -> Bool {
    begin ?? .zero <= until && end ?? Nanoseconds(.max) >= from
  }

  /// Returns the time range of `--from` and `--to`: times since the beginning of the first log, or
  /// marks of the logs.
  static func of(
    _ arguments: ParsedArguments, _ log: LogAnalysis
  ) throws(UsageError) -> TimeWindow {
    var window = TimeWindow()
    let command = arguments.command ?? .report
    let until = "--until"
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
