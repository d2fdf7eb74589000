import TraceFormat

/// A part of logs: the subscriptions that a query selects, and a time range.
package struct LogFilter: Equatable, Sendable {
  package var query = Query()
  /// The time range. Subscriptions match if they are alive in it.
  package var times = TimeRange.always
  /// The scopes in which a subscription was made, or `nil` for any.
  package var scopes: Set<NumberInLog>?

  package init() {}

  /// Creates a filter for lanes, with wildcards in their names.
  package init(lanes: [String]) {
    guard !lanes.isEmpty else { return }
    query = Query(.any(lanes.map { .term(.lane(.glob(GlobPattern($0)))) }))
  }

  /// Returns the excerpt of the logs that matches. It reads the files again if the query asks for
  /// events.
  package func excerpt(
    of log: LogAnalysis, _ facts: QueryFacts = QueryFacts()
  ) throws(LogError) -> LogExcerpt {
    guard self != LogFilter() else { return LogExcerpt(log) }
    let candidates = log.lifecycles.indices.map { matches(log.lifecycles[$0], in: log) }
    let isIncluded = try query.matches(in: log, facts, among: candidates)
    let times = times.hasEnd ? times : TimeRange(from: times.start, through: log.duration)
    return LogExcerpt(log, times) { isIncluded[$0] }
  }

  private func matches(_ lifecycle: Lifecycle, in log: LogAnalysis) -> Bool {
    guard times.overlaps(lifecycle.start, log.lastMoment(of: lifecycle)) else { return false }
    guard let scopes else { return true }
    guard let number = lifecycle.scope else { return false }
    return scopes.contains(NumberInLog(log: Int(lifecycle.log), number: number))
  }
}
