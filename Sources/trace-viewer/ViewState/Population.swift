import TerminalUI
import TraceAnalysis
import TraceFormat

/// How many subscriptions of a lane are alive at any time, found in the time that a search takes.
struct Population: Sendable {
  private let starts: [Nanoseconds]
  /// Of those that ended.
  private let ends: [Nanoseconds]
  private let failures: [Nanoseconds]

  /// - Parameter members: in the order of their beginnings.
  init(_ members: [Int], _ spans: LifeSpans) {
    starts = members.map { spans[$0].start }
    ends = members.filter { spans[$0].state != .active }.map { spans[$0].last }.sorted()
    failures = members.filter { spans[$0].state == .failed }.map { spans[$0].last }.sorted()
  }

  /// Those that began at the time or before it, and had not ended by then.
  func alive(at time: Nanoseconds) -> Int {
    let began = Population.count(starts) { $0 <= time }
    let ended = Population.count(ends) { $0 <= time }
    return max(0, began - ended)
  }

  /// Those that are alive in the last moment before a time.
  private func alive(before time: Nanoseconds) -> Int {
    let began = Population.count(starts) { $0 < time }
    let ended = Population.count(ends) { $0 < time }
    return max(0, began - ended)
  }

  /// How many there are at the beginning or the end of a stretch, whichever is more; at least one where there was any in it.
  func most(from start: Nanoseconds, before end: Nanoseconds) -> Int {
    let most = max(alive(at: start), alive(before: end))
    guard most == 0 else { return most }
    let began = Population.count(starts) { $0 < end }
    let ended = Population.count(ends) { $0 < start }
    return began > ended ? 1 : 0
  }

  /// Whether one failed in a stretch that ends before `end`.
  func hasFailure(from start: Nanoseconds, before end: Nanoseconds) -> Bool {
    let place = Population.count(failures) { $0 < start }
    return place < failures.count && failures[place] < end
  }

  /// The first end after a time.
  func nextEnd(after time: Nanoseconds) -> Nanoseconds? {
    let place = Population.count(ends) { $0 <= time }
    return place < ends.count ? ends[place] : nil
  }

  /// The number of elements of a sorted list, counted from its beginning, for which something holds.
  static func count<Element>(_ sorted: [Element], where isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(sorted[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
