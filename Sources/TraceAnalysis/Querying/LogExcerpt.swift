package import TraceFormat

/// A part of logs that views show: some of their subscriptions, and a stretch of time.
///
/// `ExcerptFigures` counts what happened in the stretch.
package struct LogExcerpt: Sendable {
  package let log: LogAnalysis
  /// Places in `LogAnalysis.lifecycles`, ascending.
  package let members: [Int]
  package let start: Nanoseconds
  package let end: Nanoseconds
  /// Empty where all are members.
  private let isMember: [Bool]

  /// All of the logs.
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

  /// Whether any of what lasted so long lies in the stretch; nil is a beginning or an end that no log tells.
  package func contains(_ begin: Nanoseconds?, _ end: Nanoseconds?) -> Bool {
    (begin ?? .zero) <= self.end && (end ?? self.end) >= start
  }
}
