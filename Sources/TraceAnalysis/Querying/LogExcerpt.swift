package import TraceFormat

/// A part of logs that views show: some of their subscriptions, and a time range.
///
/// `ExcerptFigures` counts the events in the time range.
package struct LogExcerpt: Sendable {
  package let log: LogAnalysis
  /// The indices of the subscriptions in `LogAnalysis.lifecycles`, ascending.
  package let members: [Int]
  package let start: Nanoseconds
  package let end: Nanoseconds
  /// A flag for each subscription; empty if all are members.
  private let isMember: [Bool]

  /// Creates an excerpt of whole logs.
  package init(_ log: LogAnalysis) {
    self.init(log, start: .zero, end: log.duration) { _ in true }
  }

  package init(
    _ log: LogAnalysis, start: Nanoseconds, end: Nanoseconds, where isIncluded: (Int) -> Bool
  ) {
    self.log = log
    self.start = start
    self.end = max(start, end)
    members = log.lifecycles.indices.filter(isIncluded)
    if members.count == log.lifecycles.count {
      isMember = []
    } else {
      var isMember = [Bool](repeating: false, count: log.lifecycles.count)
      for index in members { isMember[index] = true }
      self.isMember = isMember
    }
  }

  package var duration: Nanoseconds { end.since(start) }
  package var hasAllTime: Bool { start == .zero && end == log.duration }
  package var hasAllSubscriptions: Bool { isMember.isEmpty }

  package func contains(_ index: Int) -> Bool {
    isMember.isEmpty || isMember[index]
  }

  /// Reports whether any part of a period is in the time range; nil stands for a beginning or an
  /// end that is in no log.
  package func contains(_ begin: Nanoseconds?, _ end: Nanoseconds?) -> Bool {
    (begin ?? .zero) <= self.end && (end ?? self.end) >= start
  }
}
