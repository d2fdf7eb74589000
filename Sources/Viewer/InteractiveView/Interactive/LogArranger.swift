import TraceAnalysis

/// The latest snapshot of a log, and the results that are reused when it is arranged again.
struct LogArranger {
  /// The result of applying a filter to elements.
  private struct Included {
    let filter: ViewFilter
    let revision: Int
    let restarts: Int
    var values: [Bool]
    let end: ContinuousClock.Instant
    /// The time it took to apply the filter.
    let cost: Duration

    /// The time at which the filter may be applied to newer records, so that filtering takes at
    /// most a tenth of the time.
    var expiration: ContinuousClock.Instant { end.advanced(by: cost * 10) }
  }

  private(set) var snapshot = LogSnapshot.empty
  var arrangement = Arrangement()
  /// The findings of the snapshot, and the part of it that passed the last filter.
  private var judged: JudgedLog?
  private var filtered: (value: FilteredLog, filter: ViewFilter)?
  private var included: Included?

  /// Replaces the snapshot with a newer one.
  mutating func take(_ snapshot: LogSnapshot) {
    let revision = self.snapshot.revision + 1
    self.snapshot = snapshot
    self.snapshot.revision = revision
    (judged, filtered) = (nil, nil)
  }

  /// Returns the arranged log. It may check the log and read its elements again, which takes time.
  mutating func viewed(_ rules: RuleSettings) -> ViewedLog {
    let judged = self.judged ?? JudgedLog(snapshot, rules)
    self.judged = judged
    return ViewedLog(judged, filtered(judged), arrangement)
  }

  private mutating func filtered(_ judged: JudgedLog) -> FilteredLog {
    let revision = included?.revision
    let isIncluded = matches()
    if let filtered, filtered.filter == arrangement.filter, included?.revision == revision {
      return filtered.value
    }
    let value = FilteredLog(judged, arrangement.filter, isIncluded: isIncluded)
    filtered = (value, arrangement.filter)
    return value
  }

  /// Returns whether each subscription passes the filter on elements, or `nil` if the filter
  /// doesn't depend on elements.
  ///
  /// In a growing log, all elements are read again, but that takes at most a tenth of the time.
  /// Until then, newer subscriptions don't pass.
  private mutating func matches() -> [Bool]? {
    let filter = arrangement.filter
    guard filter.needsEvents else {
      included = nil
      return nil
    }
    let start = ContinuousClock.now
    let count = snapshot.analysis.lifecycles.count
    if let known = included, known.filter == filter, known.restarts == snapshot.restarts,
      known.revision == snapshot.revision || start < known.expiration, known.values.count <= count
    {
      return known.values + repeatElement(false, count: count - known.values.count)
    }
    let values = filter.matchesOfEvents(in: snapshot.analysis) ?? []
    included = Included(
      filter: filter, revision: snapshot.revision, restarts: snapshot.restarts, values: values,
      end: .now, cost: start.duration(to: .now))
    return values
  }

  /// A Boolean value that indicates whether the filter result is older than the records that were
  /// read, and the filter may be applied again now.
  var isOverdue: Bool {
    guard let included else { return false }
    return included.revision != snapshot.revision && .now >= included.expiration
  }
}
