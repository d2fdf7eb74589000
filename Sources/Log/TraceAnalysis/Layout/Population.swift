package import TraceFormat

/// The number of subscriptions that are alive, over time.
package struct Population: Sendable {
  private let starts: SortedTimes
  /// The ends of the subscriptions that ended.
  private let ends: SortedTimes
  private let failures: SortedTimes

  init(_ spans: [LifeSpan]) {
    var starts = spans.map(\.start)
    var ends = spans.filter { $0.state != .active }.map(\.last)
    var failures = spans.filter { $0.state == .failed }.map(\.last)
    starts.arrange()
    ends.arrange()
    failures.arrange()
    self.starts = SortedTimes(starts)
    self.ends = SortedTimes(ends)
    self.failures = SortedTimes(failures)
  }

  /// Returns the number of subscriptions that began at or before a time and had not ended by then.
  package func alive(at time: Nanoseconds) -> Int {
    let began = starts.count(through: time)
    let ended = ends.count(through: time)
    return max(0, began - ended)
  }

  /// Returns the number of subscriptions that are alive in the last moment before a time.
  private func alive(before time: Nanoseconds) -> Int {
    let began = starts.count(before: time)
    let ended = ends.count(before: time)
    return max(0, began - ended)
  }

  /// Returns the number of live subscriptions at the beginning or at the end of a time range,
  /// whichever is larger. The result is at least 1 if there are any in the range.
  package func maxAlive(from start: Nanoseconds, before end: Nanoseconds) -> Int {
    let maxAlive = max(alive(at: start), alive(before: end))
    guard maxAlive == 0 else { return maxAlive }
    let began = starts.count(before: end)
    let ended = ends.count(before: start)
    return began > ended ? 1 : 0
  }

  /// The maximum number of subscriptions that are alive at once, and the first time at which they
  /// are.
  var peak: (count: Int, time: Nanoseconds) {
    var (count, ended) = (0, 0)
    var peak = (count: 0, time: Nanoseconds.zero)
    for start in starts {
      while ended < ends.count, ends[ended] <= start {
        count -= 1
        ended += 1
      }
      count += 1
      if count > peak.count { peak = (count, start) }
    }
    return peak
  }

  /// Reports whether a subscription failed in a time range that ends before `end`.
  package func hasFailure(from start: Nanoseconds, before end: Nanoseconds) -> Bool {
    let index = failures.count(before: start)
    return index < failures.count && failures[index] < end
  }

  /// Returns the first end after a time.
  package func nextEnd(after time: Nanoseconds) -> Nanoseconds? {
    let index = ends.count(through: time)
    return index < ends.count ? ends[index] : nil
  }
}

extension Population {
  /// Returns the maximum number of subscriptions that are alive at once in each column of a scale.
  ///
  /// A subscription that is active at the end of its log counts until then.
  static func peaks(of spans: [LifeSpan], over scale: TimeScale) -> [Int] {
    var changes: [(time: Nanoseconds, order: Int)] = []
    for span in spans {
      changes.append((span.start, 1))
      // A subscription that ends makes room for one that begins at the same time, but not for
      // itself.
      changes.append((span.last, span.last > span.start ? 0 : 2))
    }
    changes.sort { ($0.time, $0.order) < ($1.time, $1.order) }
    var cells = [Int](repeating: 0, count: scale.columns)
    var alive = 0
    var column = 0
    for change in changes {
      let next = scale.column(of: change.time)
      while column < next {
        column += 1
        cells[column] = alive
      }
      alive += change.order == 1 ? 1 : -1
      cells[column] = max(cells[column], alive)
    }
    while column < cells.count - 1 {
      column += 1
      cells[column] = alive
    }
    return cells
  }
}

extension [Nanoseconds] {
  /// Sorts the times, unless they are in order already, as beginnings nearly always are.
  fileprivate mutating func arrange() {
    if !zip(self, dropFirst()).allSatisfy({ $0 <= $1 }) { sort() }
  }
}

extension LogAnalysis {
  /// Returns the highest number of `members` that are alive at once in each column of a scale.
  package func peaks(of members: some RandomAccessCollection<Int>, over scale: TimeScale) -> [Int] {
    Population.peaks(of: members.map { LifeSpan($0, in: self) }, over: scale)
  }

  /// Returns the number of live subscriptions among `members`, over time.
  package func population(of members: MemberList) -> Population {
    Population(spans(of: members))
  }
}
