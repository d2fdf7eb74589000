package import TraceFormat

/// A summary of the subscriptions of a lane in a time range.
package struct LaneSummary: Sendable {
  /// Statistics of lifetimes. Each value is exact: the lifetime of one of the subscriptions.
  package struct Lives: Equatable, Sendable {
    package let shortest: Nanoseconds
    /// The lifetime that half of the subscriptions do not exceed.
    package let median: Nanoseconds
    /// The lifetime that 95 percent of the subscriptions do not exceed.
    package let high: Nanoseconds
    package let longest: Nanoseconds

    fileprivate init?(_ lengths: [Nanoseconds]) {
      let sorted = lengths.sorted()
      guard let shortest = sorted.first, let longest = sorted.last else { return nil }
      self.shortest = shortest
      self.longest = longest
      median = sorted[(sorted.count - 1) / 2]
      high = sorted[(sorted.count * 95 + 99) / 100 - 1]
    }
  }

  /// The times between consecutive elements of one subscription. The median and the high one are at
  /// most 1% too long.
  package struct Gaps: Equatable, Sendable {
    package let median: Nanoseconds
    /// The time that 95 percent of the gaps do not exceed.
    package let high: Nanoseconds
    package let longest: Nanoseconds
    /// The time at which the longest gap starts, or the first of several.
    package let longestStart: Nanoseconds
    /// The subscription with the longest gap.
    package let longestOf: NumberInLog

    fileprivate init?(
      of members: some RandomAccessCollection<Int>, in times: TimeRange?, _ elements: ElementIndex
    ) {
      var histogram = GapHistogram()
      var longest: ElementIndex.Gap?
      elements.visitGaps(of: members, in: times) { gap in
        histogram.add(gap.length)
        guard let old = longest else {
          longest = gap
          return
        }
        if gap.length > old.length || gap.length == old.length && gap.start < old.start {
          longest = gap
        }
      }
      guard let longest else { return nil }
      let lifecycle = elements.lifecycles[longest.member]
      median = histogram.percentile(50)
      high = histogram.percentile(95)
      self.longest = histogram.longest
      longestStart = longest.start
      longestOf = NumberInLog(log: Int(lifecycle.log), number: lifecycle.id.number)
    }
  }

  package var lane: String
  /// The number of subscriptions that were alive in the time range.
  package var subscriptions = 0
  package var started = 0
  package var elements = 0
  /// The lifetimes of the subscriptions that ended, each from its beginning.
  package private(set) var lives: Lives?
  /// The gaps between elements; nil without an index of elements, which gaps need.
  package private(set) var gaps: Gaps?
  /// The time at which the first subscription began.
  package private(set) var first = Nanoseconds.zero
  /// The longest lifetime, including those of subscriptions that are still active.
  package private(set) var oldest = Nanoseconds.zero
  private var byState = [Int](repeating: 0, count: Lifecycle.State.allCases.count)

  /// The number of subscriptions that ended in a state, or are active at the end of the time range.
  package subscript(state: Lifecycle.State) -> Int {
    byState[state.rawValue]
  }

  /// Returns a summary for each lane in the order of a timeline: lanes are below the lanes that
  /// they were made for.
  package static func lanes(of figures: ExcerptFigures) -> [LaneSummary] {
    lanes(of: LaneTree(figures.excerpt).lanes, figures)
  }

  /// Returns a summary for each list of subscriptions.
  static func lanes(
    of lists: [(lane: String, members: [Int])], _ figures: ExcerptFigures
  ) -> [LaneSummary] {
    Processors.map(lists.count) {
      LaneSummary(lane: lists[$0].lane, lists[$0].members, figures)
    }
  }

  /// Returns a summary, with gaps, for each lane of an excerpt that covers all times.
  package static func lanes(
    of excerpt: LogExcerpt, _ elements: ElementIndex
  ) -> [LaneSummary] {
    let figures = ExcerptFigures(wholeLivesOf: excerpt.ofSubscriptions)
    return lanes(of: figures, in: nil, elements)
  }

  /// Returns a summary, with the gaps between elements in the time range, for each lane.
  package static func lanes(
    of figures: ExcerptFigures, _ elements: ElementIndex
  ) -> [LaneSummary] {
    lanes(of: figures, in: figures.excerpt.times, elements)
  }

  private static func lanes(
    of figures: ExcerptFigures, in times: TimeRange?, _ elements: ElementIndex
  ) -> [LaneSummary] {
    LaneTree(figures.excerpt).lanes.map { lane in
      var summary = LaneSummary(lane: lane.lane, lane.members, figures)
      summary.gaps = Gaps(of: lane.members, in: times, elements)
      return summary
    }
  }

  package static func lanes(of log: LogAnalysis) -> [LaneSummary] {
    lanes(of: ExcerptFigures(log).ofSubscriptions)
  }

  /// Returns one summary of all lanes together.
  package static func total(of figures: ExcerptFigures, name: String) -> LaneSummary {
    LaneSummary(lane: name, figures.excerpt.members, figures)
  }

  private init(lane: String, _ members: some RandomAccessCollection<Int>, _ figures: ExcerptFigures)
  {
    self.lane = lane
    let log = figures.excerpt.log
    var ended: [Nanoseconds] = []
    var first = Nanoseconds(.max)
    for index in members {
      let lifecycle = log.lifecycles[index]
      let state = figures.state(of: lifecycle)
      first = min(first, lifecycle.start)
      oldest = max(oldest, log.age(of: lifecycle))
      subscriptions += 1
      if figures.begins(lifecycle) { started += 1 }
      elements += figures.elements(of: index)
      byState[state.rawValue] += 1
      if state != .active, let life = lifecycle.life { ended.append(life) }
    }
    if !members.isEmpty { self.first = first }
    lives = Lives(ended)
  }
}
