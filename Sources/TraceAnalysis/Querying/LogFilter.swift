package import TraceFormat

/// A filter for the subscriptions of logs, and for a time range.
///
/// A property that is empty or nil lets everything through. A subscription must match one of the
/// values of each property.
package struct LogFilter: Sendable {
  package var lanes: [GlobPattern] = []
  package var states: Set<Lifecycle.State> = []
  /// The time range. Subscriptions match if they are alive in it.
  package var times = TimeRange.always
  /// The scopes in which a subscription was made.
  package var scopes: Set<NumberInLog>?
  /// The threads on which a subscription had an element.
  package var threads: Set<NumberInLog>?
  /// A regular expression for the text of an element that a subscription had.
  package var value: ElementPattern?

  package init() {}

  /// Returns the excerpt of the logs that matches. It reads the files again if the filter asks for
  /// elements.
  package func excerpt(of log: LogAnalysis) throws(LogError) -> LogExcerpt {
    let times =
      times.hasEnd ? times : TimeRange(from: times.start, through: log.duration)
    var isIncluded = log.lifecycles.map { fits($0, log.lastMoment(of: $0), times) }
    var sites: [ObjectIdentifier: Bool] = [:]
    for index in log.lifecycles.indices where isIncluded[index] && !lanes.isEmpty {
      let site = log.lifecycles[index].site
      isIncluded[index] = fits(site, &sites)
    }
    if threads != nil || value != nil {
      let search = ElementSearch(log, among: isIncluded, threads: threads, pattern: value)
      isIncluded = try log.scan(search).found
    }
    return LogExcerpt(log, times) { isIncluded[$0] }
  }

  /// Reports whether a subscription matches everything but the lane and the elements.
  private func fits(
    _ lifecycle: Lifecycle, _ last: Nanoseconds, _ times: TimeRange
  ) -> Bool {
    guard states.isEmpty || states.contains(lifecycle.state),
      times.overlaps(lifecycle.start, last)
    else { return false }
    guard let scopes else { return true }
    guard let number = lifecycle.scope else { return false }
    return scopes.contains(NumberInLog(log: Int(lifecycle.log), number: number))
  }

  private func fits(_ site: Site, _ known: inout [ObjectIdentifier: Bool]) -> Bool {
    if let known = known[ObjectIdentifier(site)] { return known }
    let fits = lanes.contains { $0.matches(site.lane) }
    known[ObjectIdentifier(site)] = fits
    return fits
  }
}
