package import TraceFormat

/// How long the subscriptions of a lane lived, and how far apart their elements came.
package struct LaneStatistics: Sendable {
  package struct Spread: Equatable, Sendable {
    /// Half are no longer than this.
    package let median: Nanoseconds
    /// 95 of a hundred are no longer than this.
    package let high: Nanoseconds
  }

  package let lane: String
  package private(set) var started = 0
  package private(set) var active = 0
  package private(set) var failed = 0
  package private(set) var elements = 0
  /// Of those that ended; exact.
  package let lives: Spread?
  /// Between elements that follow each other in one subscription; at most 1 % too long.
  package let gaps: Spread?

  /// - Parameter members: places in `LogAnalysis.lifecycles`.
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

  /// Of all lanes that an excerpt shows, in the order of `LaneTree`.
  package static func lanes(of excerpt: LogExcerpt, _ elements: ElementIndex) -> [LaneStatistics] {
    LaneTree(excerpt).lanes.map {
      LaneStatistics(lane: $0.lane, $0.members, excerpt.log, elements)
    }
  }
}

/// Counts lengths of time in buckets, 64 for each doubling, so that millions of them take no memory.
struct GapHistogram {
  private var counts = [Int](repeating: 0, count: 65 * 64)
  private(set) var total = 0

  @inline(__always)
  mutating func add(_ value: UInt64) {
    counts[Self.bucket(of: value)] += 1
    total += 1
  }

  /// The upper end of the bucket in which so many of a hundred lie at or below.
  func percentile(_ percent: Int) -> Nanoseconds {
    let wanted = max(1, (total * percent + 99) / 100)
    var seen = 0
    for (bucket, count) in counts.enumerated() {
      seen += count
      if seen >= wanted { return Nanoseconds(Self.highest(in: bucket)) }
    }
    return .zero
  }

  /// Values below 128 have a bucket each; of larger ones the seven highest bits count.
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
