internal import ReactiveTrace

/// A stretch of time on the axis of the logs, with both its ends.
struct TimeWindow: Equatable {
  var from = Nanoseconds.zero
  var until = Nanoseconds(.max)

  func contains(_ time: Nanoseconds) -> Bool {
    from <= time && time <= until
  }

  /// Whether something that lasts is in it for any moment; nil is an end that nobody knows.
  func meets(_ begin: Nanoseconds?, _ end: Nanoseconds?) -> Bool {
    begin ?? .zero <= until && end ?? Nanoseconds(.max) >= from
  }

  /// What `--from` and `--until` say: times since the beginning of the first log, or marks of the logs.
  static func of(
    _ arguments: ParsedArguments, _ log: LogAnalysis
  ) throws(UsageError) -> TimeWindow {
    var window = TimeWindow()
    let command = arguments.command ?? .report
    // What is `--to` elsewhere names the format of an export.
    let until = command == .export ? "--until" : "--to"
    if let text = arguments[.from] { window.from = try moment(text, "--from", command, log) }
    if let text = arguments[.until] { window.until = try moment(text, until, command, log) }
    return window
  }

  private static func moment(
    _ text: String, _ option: String, _ command: CommandSpec.Name, _ log: LogAnalysis
  ) throws(UsageError) -> Nanoseconds {
    if let time = TimeText.nanoseconds(text) { return time }
    // Bytes are compared: two spellings of one letter are two names.
    if let mark = log.marks.first(where: { $0.name.utf8.elementsEqual(text.utf8) }) {
      return mark.time
    }
    throw UsageError(
      .wrongValue, command,
      "'\(text)' is no value of '\(option)', which takes a time, such as 1.5s or 300ms, or the name"
        + " of a mark\(NameList.hint(log.marks.map(\.name), "mark"))")
  }
}
