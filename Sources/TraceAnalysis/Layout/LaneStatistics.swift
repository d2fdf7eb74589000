package import TraceFormat

/// The lengths of the lives of a lane's subscriptions, and the time between their elements.
package struct LaneStatistics: Sendable {
  package struct Spread: Equatable, Sendable {
    /// The length that half of the lengths do not exceed.
    package let median: Nanoseconds
    /// The length that 95 percent of the lengths do not exceed.
    package let high: Nanoseconds
  }

  package let lane: String
  package private(set) var started = 0
  package private(set) var active = 0
  package private(set) var failed = 0
  package private(set) var elements = 0
  /// The lives of the subscriptions that ended; exact.
  package let lives: Spread?
  /// The time between consecutive elements of one subscription; at most 1 % too long.
  package let gaps: Spread?

  /// Computes the statistics of a lane.
  ///
  /// - Parameter members: The indices of its subscriptions in `LogAnalysis.lifecycles`.
  package init(
    lane: String, _ members: [Int], _ log: LogAnalysis, _ elements: ElementIndex
  ) {
    self.lane = lane
    var ended: [Nanoseconds] = []
    var histogram = GapHistogram()
    for index in members {
      let lifecycle = log.lifecycles[index]
      started += 1
      self.elements += lifecycle.elements
      if lifecycle.isActive { active += 1 }
      if lifecycle.state == .failed { failed += 1 }
      if let life = lifecycle.life { ended.append(life) }
      elements.visitGaps(of: index) { histogram.add($0) }
    }
    ended.sort()
    lives =
      ended.isEmpty
      ? nil
      : Spread(median: ended[(ended.count - 1) / 2], high: ended[(ended.count * 95 + 99) / 100 - 1])
    gaps =
      histogram.total == 0
      ? nil : Spread(median: histogram.percentile(50), high: histogram.percentile(95))
  }

  /// Returns the statistics of all lanes that an excerpt shows, in the order of `LaneTree`.
  package static func lanes(of excerpt: LogExcerpt, _ elements: ElementIndex) -> [LaneStatistics] {
    LaneTree(excerpt).lanes.map {
      LaneStatistics(lane: $0.lane, $0.members, excerpt.log, elements)
    }
  }
}

/// A histogram of durations with 64 buckets for each doubling, so that millions of durations take
/// no extra memory.
struct GapHistogram {
  private var counts = [Int](repeating: 0, count: 65 * 64)
  private(set) var total = 0

  @inline(__always)
  mutating func add(_ value: UInt64) {
    counts[Self.bucket(of: value)] += 1
    total += 1
  }

  /// Returns the upper end of the bucket at or below which `percent` percent of the values lie.
  func percentile(_ percent: Int) -> Nanoseconds {
    let wanted = max(1, (total * percent + 99) / 100)
    var seen = 0
    for (bucket, count) in counts.enumerated() {
      seen += count
      if seen >= wanted { return Nanoseconds(Self.highest(in: bucket)) }
    }
    return .zero
  }

  /// Returns the bucket of a value. Each value below 128 has its own bucket; for larger values, the
  /// seven highest bits count.
  private static func bucket(of value: UInt64) -> Int {
    guard value >= 128 else { return Int(truncatingIfNeeded: value) }
    let shift = 57 - value.leadingZeroBitCount
    return 64 * shift + Int(truncatingIfNeeded: value >> UInt64(shift))
  }

  private static func highest(in bucket: Int) -> UInt64 {
    guard bucket >= 128 else { return UInt64(bucket) }
    let shift = UInt64(bucket / 64 - 1)
    let top = UInt64(bucket % 64 + 64)
    return (top << shift) | ((1 << shift) - 1)
  }
}
