import TraceAnalysis

/// The latest snapshot of a log, and the results that are reused when it is arranged again.
struct LogArranger {
  /// What a filter needs to know about the events of a log.
  private struct Known {
    let query: Query
    let revision: Int
    let restarts: Int
    /// The result, or `nil` if the log can't be read.
    let events: QueryEvents?
    let end: ContinuousClock.Instant
    /// The time it took to read the events.
    let cost: Duration

    /// The time at which newer events may be read, so that filtering takes at most a tenth of the
    /// time.
    var expiration: ContinuousClock.Instant { end.advanced(by: cost * 10) }
  }

  private(set) var snapshot = LogSnapshot.empty
  var arrangement = Arrangement() {
    didSet {
      guard arrangement.alignsStarts != oldValue.alignsStarts else { return }
      (judged, filtered, known) = (nil, nil, nil)
    }
  }
  /// The findings of the snapshot, and the part of it that passed the last filter.
  private var judged: JudgedLog?
  private var filtered: (value: FilteredLog, filter: ViewFilter)?
  private var known: Known?

  /// Replaces the snapshot with a newer one.
  mutating func take(_ snapshot: LogSnapshot) {
    let revision = self.snapshot.revision + 1
    self.snapshot = snapshot
    self.snapshot.revision = revision
    (judged, filtered) = (nil, nil)
  }

  /// Returns the arranged log. It may check the log and read its elements again, which takes time.
  mutating func viewed(_ rules: RuleSettings) -> ViewedLog {
    let judged = self.judged ?? JudgedLog(arrangement.onAxis(snapshot), rules)
    self.judged = judged
    return ViewedLog(judged, filtered(judged), arrangement)
  }

  private mutating func filtered(_ judged: JudgedLog) -> FilteredLog {
    let revision = known?.revision
    let events = events(judged)
    if let filtered, filtered.filter == arrangement.filter, known?.revision == revision {
      return filtered.value
    }
    let value = FilteredLog(judged, arrangement.filter, events)
    filtered = (value, arrangement.filter)
    return value
  }

  /// Returns what the filter needs to know about events, or `nil` if the log can't be read.
  ///
  /// In a growing log, all events are read again, but that takes at most a tenth of the time.
  /// Until then, newer events don't count.
  private mutating func events(_ judged: JudgedLog) -> QueryEvents? {
    let query = arrangement.filter.query
    guard query.needsEvents else {
      known = nil
      return QueryEvents()
    }
    let start = ContinuousClock.now
    if let known, known.query == query, known.restarts == snapshot.restarts,
      known.revision == snapshot.revision || start < known.expiration
    {
      return known.events
    }
    let events = try? query.events(in: judged.log, judged.facts)
    known = Known(
      query: query, revision: snapshot.revision, restarts: snapshot.restarts, events: events,
      end: .now, cost: start.duration(to: .now))
    return events
  }

  /// A Boolean value that indicates whether the filter result is older than the records that were
  /// read, and the filter may be applied again now.
  var isOverdue: Bool {
    guard let known else { return false }
    return known.revision != snapshot.revision && .now >= known.expiration
  }
}
