import TraceFormat

/// A part of logs that views show: some of their subscriptions, and a time range.
///
/// `ExcerptFigures` counts the events in the time range.
package struct LogExcerpt: Sendable {
  package let log: LogAnalysis
  /// The indices of the subscriptions in `LogAnalysis.lifecycles`, ascending.
  package let members: MemberList
  /// The time range, which includes its end.
  package let times: TimeRange
  /// A flag for each subscription; empty if all are members.
  private let isMember: [Bool]

  /// Creates an excerpt of whole logs.
  package init(_ log: LogAnalysis) {
    self.log = log
    times = TimeRange(from: .zero, through: log.duration)
    members = MemberList(all: log.lifecycles.count)
    isMember = []
  }

  /// Creates an excerpt of some subscriptions that covers all times.
  package init(_ log: LogAnalysis, where isIncluded: (Int) -> Bool) {
    self.init(log, TimeRange(from: .zero, through: log.duration), where: isIncluded)
  }

  package init(_ log: LogAnalysis, _ times: TimeRange, where isIncluded: (Int) -> Bool) {
    self.log = log
    self.times = times
    let isMember = log.lifecycles.indices.map(isIncluded)
    if isMember.allSatisfy(\.self) {
      members = MemberList(all: isMember.count)
      self.isMember = []
    } else {
      members = MemberList(isMember.indices.filter { isMember[$0] })
      self.isMember = isMember
    }
  }

  /// The same excerpt without leaked objects, which don't have lanes or lives.
  package var ofSubscriptions: LogExcerpt {
    guard log.logs.contains(where: { !$0.objects.isEmpty }) else { return self }
    return LogExcerpt(log, times) { contains($0) && !log.lifecycles.activity(at: $0).isObject }
  }

  package var hasAllTime: Bool { times.start == .zero && times.end == log.duration }
  package var hasAllSubscriptions: Bool { isMember.isEmpty }

  /// Returns the indices of the subscriptions in a state.
  package func members(in state: Lifecycle.State) -> [Int] {
    members.filter { log.lifecycles.activity(at: $0).state == state }
  }

  /// Returns the number of subscriptions in a state.
  package func count(in state: Lifecycle.State) -> Int {
    members.count { log.lifecycles.activity(at: $0).state == state }
  }

  package func contains(_ index: Int) -> Bool {
    isMember.isEmpty || isMember[index]
  }
}
