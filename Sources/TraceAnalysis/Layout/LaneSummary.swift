package import TraceFormat

/// A summary of the subscriptions of a lane in a time range.
package struct LaneSummary: Sendable {
  package var lane: String
  /// The number of subscriptions that were alive in the time range.
  package var subscriptions = 0
  package var started = 0
  package var elements = 0
  /// The shortest, median and longest life of the subscriptions that ended, each from its
  /// beginning.
  package var lives: (shortest: Nanoseconds, median: Nanoseconds, longest: Nanoseconds)?
  /// The time at which the first subscription began.
  package private(set) var first = Nanoseconds.zero
  /// The longest life, including those of subscriptions that are still active.
  package private(set) var oldest = Nanoseconds.zero
  private var byState = [Int](repeating: 0, count: Lifecycle.State.allCases.count)

  /// The number of subscriptions that ended in a state, or are active at the end of the time range.
  package subscript(state: Lifecycle.State) -> Int {
    byState[state.rawValue]
  }

  /// Returns a summary for each lane in the order of a timeline: lanes are below the lanes that
  /// they were made for.
  package static func lanes(of figures: ExcerptFigures) -> [LaneSummary] {
    LaneTree(figures.excerpt).lanes.map { LaneSummary(lane: $0.lane, $0.members, figures) }
  }

  package static func lanes(of log: LogAnalysis) -> [LaneSummary] {
    lanes(of: ExcerptFigures(log))
  }

  /// Returns one summary of all lanes together.
  package static func total(of figures: ExcerptFigures, name: String) -> LaneSummary {
    LaneSummary(lane: name, figures.excerpt.members, figures)
  }

  private init(lane: String, _ members: [Int], _ figures: ExcerptFigures) {
    self.lane = lane
    let log = figures.excerpt.log
    var ended: [Nanoseconds] = []
    first = members.lazy.map { log.lifecycles[$0].start }.min() ?? .zero
    for index in members {
      let lifecycle = log.lifecycles[index]
      let state = figures.state(of: index)
      oldest = max(oldest, log.age(of: lifecycle))
      subscriptions += 1
      if figures.begins(index) { started += 1 }
      elements += figures.elements(of: index)
      byState[state.rawValue] += 1
      if state != .active, let life = lifecycle.life { ended.append(life) }
    }
    ended.sort()
    if let shortest = ended.first, let longest = ended.last {
      // Of an even number, take the lower of the two in the middle, because a subscription really
      // lived that long.
      lives = (shortest, ended[(ended.count - 1) / 2], longest)
    }
  }
}
