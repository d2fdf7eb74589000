/// How the subscriptions of a lane fared.
package struct LaneSummary: Sendable {
  package var lane: String
  package var started = 0
  package var elements = 0
  /// The shortest, median and longest life of those that ended.
  package var lives: (shortest: Nanoseconds, median: Nanoseconds, longest: Nanoseconds)?
  /// When the first of them began.
  package private(set) var first = Nanoseconds.zero
  /// The longest life, also of those that are still active.
  package private(set) var oldest = Nanoseconds.zero
  private var byState = [Int](repeating: 0, count: Lifecycle.State.allCases.count)

  package subscript(state: Lifecycle.State) -> Int {
    byState[state.rawValue]
  }

  /// A line for each lane, in the order of a timeline: lanes below the lanes that they were made for.
  package static func lanes(of excerpt: LogExcerpt) -> [LaneSummary] {
    LaneTree(excerpt).lanes.map { LaneSummary(lane: $0.lane, $0.members, excerpt.log) }
  }

  package static func lanes(of log: LogAnalysis) -> [LaneSummary] {
    lanes(of: LogExcerpt(log))
  }

  /// One line for all lanes together.
  package static func total(of excerpt: LogExcerpt, name: String) -> LaneSummary {
    LaneSummary(lane: name, excerpt.members, excerpt.log)
  }

  private init(lane: String, _ members: [Int], _ log: LogAnalysis) {
    self.lane = lane
    var ended: [Nanoseconds] = []
    first = members.lazy.map { log.lifecycles[$0].start }.min() ?? .zero
    for lifecycle in members.lazy.map({ log.lifecycles[$0] }) {
      oldest = max(oldest, log.age(of: lifecycle))
      started += 1
      elements += lifecycle.elements
      byState[lifecycle.state.rawValue] += 1
      if let life = lifecycle.life { ended.append(life) }
    }
    ended.sort()
    if let shortest = ended.first, let longest = ended.last {
      // Of an even number the lower of the two in the middle: a life that was really lived.
      lives = (shortest, ended[(ended.count - 1) / 2], longest)
    }
  }
}
