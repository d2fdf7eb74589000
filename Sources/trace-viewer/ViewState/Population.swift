import TerminalUI
import TraceAnalysis
import TraceFormat

/// The number of live subscriptions of a lane at any time. A binary search finds it.
struct Population: Sendable {
  private let starts: [Nanoseconds]
  /// The ends of the subscriptions that ended.
  private let ends: [Nanoseconds]
  private let failures: [Nanoseconds]

  /// Creates the population.
  ///
  /// - Parameter members: The subscriptions in the order of their beginnings.
  init(_ members: [Int], _ spans: LifeSpans) {
    starts = members.map { spans[$0].start }
    ends = members.filter { spans[$0].state != .active }.map { spans[$0].last }.sorted()
    failures = members.filter { spans[$0].state == .failed }.map { spans[$0].last }.sorted()
  }

  /// Returns the number of subscriptions that began at or before a time and had not ended by then.
  func alive(at time: Nanoseconds) -> Int {
    let began = Population.count(starts) { $0 <= time }
    let ended = Population.count(ends) { $0 <= time }
    return max(0, began - ended)
  }

  /// Returns the number of subscriptions that are alive in the last moment before a time.
  private func alive(before time: Nanoseconds) -> Int {
    let began = Population.count(starts) { $0 < time }
    let ended = Population.count(ends) { $0 < time }
    return max(0, began - ended)
  }

  /// Returns the number of live subscriptions at the beginning or at the end of a time range,
  /// whichever is larger. The result is at least 1 if there are any in the range.
  func most(from start: Nanoseconds, before end: Nanoseconds) -> Int {
    let most = max(alive(at: start), alive(before: end))
    guard most == 0 else { return most }
    let began = Population.count(starts) { $0 < end }
    let ended = Population.count(ends) { $0 < start }
    return began > ended ? 1 : 0
  }

  /// Reports whether a subscription failed in a time range that ends before `end`.
  func hasFailure(from start: Nanoseconds, before end: Nanoseconds) -> Bool {
    let index = Population.count(failures) { $0 < start }
    return index < failures.count && failures[index] < end
  }

  /// Returns the first end after a time.
  func nextEnd(after time: Nanoseconds) -> Nanoseconds? {
    let index = Population.count(ends) { $0 <= time }
    return index < ends.count ? ends[index] : nil
  }

  /// Returns the number of elements at the beginning of a sorted list for which a predicate holds.
  static func count<Element>(_ sorted: [Element], where isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(sorted[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
