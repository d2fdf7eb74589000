package import TraceFormat

/// Which subscriptions of logs are looked at, and which stretch of time.
///
/// What is empty or nil lets everything through. Of one kind any may fit, and each kind must.
package struct LogFilter: Sendable {
  package var lanes: [GlobPattern] = []
  package var states: Set<Lifecycle.State> = []
  /// Subscriptions are looked at that are alive between the two.
  package var start: Nanoseconds?
  package var end: Nanoseconds?
  /// The scopes that a subscription was made in.
  package var scopes: Set<NumberInLog>?
  /// The threads on which it had an element.
  package var threads: Set<NumberInLog>?
  /// A regular expression for the text of an element that it had.
  package var value: ElementPattern?

  package init() {}

  /// Reads the files again where it is asked for elements.
  package func excerpt(of log: LogAnalysis) throws(LogError) -> LogExcerpt {
    let start = start ?? .zero
    let end = end ?? max(start, log.duration)
    var isIncluded = log.lifecycles.map { fits($0, log.lastMoment(of: $0), start, end) }
    var sites: [ObjectIdentifier: Bool] = [:]
    for index in log.lifecycles.indices where isIncluded[index] && !lanes.isEmpty {
      let site = log.lifecycles[index].site
      isIncluded[index] = fits(site, &sites)
    }
    if threads != nil || value != nil {
      let search = ElementSearch(log, among: isIncluded, threads: threads, pattern: value)
      isIncluded = try log.scan(search).found
    }
    return LogExcerpt(log, start: start, end: end) { isIncluded[$0] }
  }

  /// All but its lane and elements.
  private func fits(
    _ lifecycle: Lifecycle, _ last: Nanoseconds, _ start: Nanoseconds, _ end: Nanoseconds
  ) -> Bool {
    guard states.isEmpty || states.contains(lifecycle.state), lifecycle.start <= end, last >= start
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
