internal import ReactiveTrace

/// What the command line says of the part of logs to look at.
struct ReportFilter {
  private let arguments: ParsedArguments
  private let pattern: ElementPattern?

  /// Finds wrong patterns before any log is read.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    guard let text = arguments[.value] else {
      pattern = nil
      return
    }
    do {
      pattern = try ElementPattern(text)
    } catch {
      throw .wrongPattern(text, String(describing: error), arguments.command ?? .report)
    }
  }

  private var command: CommandSpec.Name { arguments.command ?? .report }

  /// The filter, with the marks, scopes and threads of some logs for their names.
  func filter(of log: LogAnalysis) throws(UsageError) -> LogFilter {
    var filter = LogFilter()
    filter.lanes = arguments.all(.lane).map { GlobPattern($0) }
    filter.states = Set(
      Lifecycle.State.allCases.filter { arguments.all(.state).contains("\($0)") })
    filter.start = try time(.from, "--from", log, after: .zero)
    filter.end = try time(.until, "--to", log, after: filter.start ?? .zero)
    if let start = filter.start, let end = filter.end, end < start { throw .emptyTime(command) }
    filter.scopes = try scopes(of: log)
    filter.threads = try threads(of: log)
    filter.value = pattern
    return filter
  }

  /// A time, or that of the first mark of a name; of a name that comes again and again the first from `start` on.
  private func time(
    _ name: OptionSpec.Name, _ spelling: String, _ log: LogAnalysis, after start: Nanoseconds
  ) throws(UsageError) -> Nanoseconds? {
    guard let text = arguments[name] else { return nil }
    if let time = TimeText.nanoseconds(text) { return time }
    let times = log.marks.filter { $0.name == text }.map(\.time)
    if let time = times.filter({ $0 >= start }).min() ?? times.max() { return time }
    throw .unknownTime(text, spelling, marks: log.marks.map(\.name), command)
  }

  private func scopes(of log: LogAnalysis) throws(UsageError) -> Set<LogFilter.Key>? {
    guard let text = arguments[.scope] else { return nil }
    let named = log.scopes.filter { $0.name == text }
    let found = named.isEmpty ? log.scopes.filter { "\($0.number)" == text } : named
    guard !found.isEmpty else {
      throw .unknownScope(text, scopes: log.scopes.compactMap(\.name), command)
    }
    return Set(found.map { LogFilter.Key(log: $0.log, number: $0.number) })
  }

  private func threads(of log: LogAnalysis) throws(UsageError) -> Set<LogFilter.Key>? {
    guard let text = arguments[.thread] else { return nil }
    var found: Set<LogFilter.Key> = []
    for (number, log) in log.logs.enumerated() {
      for (thread, name) in log.threads where name == text {
        found.insert(LogFilter.Key(log: number, number: thread))
      }
    }
    if found.isEmpty, let thread = UInt64(text) {
      // Not every thread has a name.
      found = Set(log.logs.indices.map { LogFilter.Key(log: $0, number: thread) })
    }
    guard !found.isEmpty else {
      let names = log.logs.flatMap { $0.threads.sorted { $0.key < $1.key }.map(\.value) }
      throw .unknownThread(text, threads: names, command)
    }
    return found
  }
}
