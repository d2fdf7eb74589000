import TraceAnalysis
import TraceFormat
import ViewerCommandLine
import ViewerConsole

/// The filter options of the command line.
struct ReportFilter {
  private let arguments: ParsedArguments
  private let pattern: ElementPattern?

  /// Creates the filter and rejects invalid patterns before any log is read.
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

  /// Returns the filter, with the names in it resolved to marks, scopes and threads of a log.
  ///
  /// - Parameter isWhole: False if a part of the logs could not be read. That part may have the
  ///   lanes that are missing.
  func filter(of log: LogAnalysis, isWhole: Bool) throws(UsageError) -> LogFilter {
    var filter = LogFilter()
    let lanes = LanePatterns(arguments)
    if isWhole { try lanes.requireMatches(in: [log], command) }
    filter.lanes = lanes.patterns
    filter.states = Set(arguments.choices(.state, Lifecycle.State.self))
    filter.times = try TimeRange.of(arguments, log)
    filter.scopes = try scopes(of: log)
    filter.threads = try threads(of: log)
    filter.value = pattern
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

  private func threads(of log: LogAnalysis) throws(UsageError) -> Set<NumberInLog>? {
    guard let text = arguments[.thread] else { return nil }
    var found: Set<NumberInLog> = []
    for (number, log) in log.logs.enumerated() {
      for (thread, name) in log.threads where name == text {
        found.insert(NumberInLog(log: number, number: thread))
      }
    }
    if found.isEmpty, let thread = UInt64(text) {
      // Not every thread has a name.
      found = Set(log.logs.indices.map { NumberInLog(log: $0, number: thread) })
    }
    guard !found.isEmpty else {
      let names = log.logs.flatMap { $0.threads.sorted { $0.key < $1.key }.map(\.value) }
      throw .unknownThread(text, threads: names, command)
    }
    return found
  }
}
