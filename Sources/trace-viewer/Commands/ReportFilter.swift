import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerCommandLine
import ViewerConsole

/// The filter options of the command line.
struct ReportFilter {
  private let arguments: ParsedArguments
  /// The conditions that mean the same in every log.
  private let query: Query

  /// Creates the filter and rejects invalid queries before any log is read.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    let states = arguments.choices(.state, Lifecycle.State.self)
    query = try Query(of: arguments)
      .and(states.isEmpty ? Query() : Query(.any(states.map { .term(.state($0)) })))
      .and(Self.value(arguments))
  }

  private static func value(_ arguments: ParsedArguments) throws(UsageError) -> Query {
    guard let text = arguments[.value] else { return Query() }
    do throws(QueryError) {
      return Query(.term(.value(try Query.value(text))))
    } catch {
      throw .wrongQuery(text, "--value", error.sentence, arguments.command)
    }
  }

  /// A note for those who expect a regular expression where text is searched for, or `nil`.
  var note: String? {
    guard let text = arguments[.value], !text.hasPrefix("/"),
      text.contains(where: { "\\.*+?[](){}|^$".contains($0) })
    else { return nil }
    return "'--value' looks for the text '\(text)'. "
      + "For a regular expression, write '--value=/\(text)/'."
  }

  private var command: CommandSpec.Name { arguments.command ?? .report }

  /// Returns the filter, with the names in it resolved to marks, scopes and threads of a log.
  ///
  /// - Parameter isWhole: False if a part of the logs could not be read. That part may have the
  ///   lanes that are missing.
  func filter(of log: LogAnalysis, isWhole: Bool) throws(UsageError) -> LogFilter {
    var filter = LogFilter(lanes: arguments.all(.lane))
    if isWhole { try LanePatterns(arguments).requireMatches(in: [log], command) }
    if let thread = arguments[.thread] {
      try requireThread(thread, in: log)
      filter.query = filter.query.and(Query(.term(.thread(.glob(GlobPattern(thread))))))
    }
    filter.query = filter.query.and(query)
    filter.times = try TimeRange.of(arguments, log)
    filter.scopes = try scopes(of: log)
    return filter
  }

  private func scopes(of log: LogAnalysis) throws(UsageError) -> Set<NumberInLog>? {
    guard let text = arguments[.scope] else { return nil }
    let named = log.scopes.filter { $0.name?.utf8.elementsEqual(text.utf8) == true }
    let found = named.isEmpty ? log.scopes.filter { "\($0.number)" == text } : named
    guard !found.isEmpty else {
      throw .unknownScope(text, scopes: log.scopes.compactMap(\.name), command)
    }
    return Set(found.map { NumberInLog($0) })
  }

  /// Throws an error if no thread has a name. Threads without names have numbers.
  private func requireThread(_ text: String, in log: LogAnalysis) throws(UsageError) {
    let names = log.logs.flatMap { $0.threads.sorted { $0.key < $1.key }.map(\.value) }
    guard names.contains(text) || UInt64(text) != nil else {
      throw .unknownThread(text, threads: names, command)
    }
  }
}

extension Query {
  /// Parses the query of `--filter`, which selects everything by default.
  init(of arguments: ParsedArguments) throws(UsageError) {
    let text = arguments[.filter] ?? ""
    do throws(QueryError) {
      try self.init(text)
    } catch {
      throw .wrongQuery(text, "--filter", error.sentence, arguments.command)
    }
  }
}

/// The patterns of `--lane`. Each must match a lane of a log that is complete, because a mistyped
/// name would otherwise select nothing, which looks like a log without problems.
struct LanePatterns {
  private let texts: [String]
  let patterns: [GlobPattern]

  init(_ arguments: ParsedArguments) {
    texts = arguments.all(.lane)
    patterns = texts.map { GlobPattern($0) }
  }

  /// Reports whether to show a lane. Without patterns, all lanes are shown.
  func matches(_ lane: String) -> Bool {
    patterns.isEmpty || patterns.contains { $0.matches(lane) }
  }

  /// Throws an error that names the closest lane if a pattern matches no lane.
  func requireMatches(in logs: [LogAnalysis], _ command: CommandSpec.Name) throws(UsageError) {
    guard !texts.isEmpty else { return }
    let lanes = Set(logs.flatMap { $0.lifecycles.map(\.site.lane) }).sorted()
    for (text, pattern) in zip(texts, patterns) {
      guard lanes.contains(where: pattern.matches) else {
        throw .unknownLane(text, lanes: lanes, command)
      }
    }
  }
}

extension TimeRange {
  /// Returns the time range of `--from` and `--to`: times since the beginning of the first log, or
  /// marks of the logs.
  static func of(_ arguments: ParsedArguments, _ log: LogAnalysis) throws(UsageError) -> TimeRange {
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
