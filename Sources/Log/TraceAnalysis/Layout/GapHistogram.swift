import TraceFormat

/// A histogram of durations with 64 buckets for each doubling, so that millions of durations take
/// no extra memory.
struct GapHistogram {
  private var counts = [Int](repeating: 0, count: 65 * 64)
  private(set) var total = 0
  private(set) var longest = Nanoseconds.zero

  @inline(__always)
  mutating func add(_ value: UInt64) {
    counts[Self.bucket(of: value)] += 1
    total += 1
    longest = max(longest, Nanoseconds(value))
  }

  /// Returns the upper end of the bucket at or below which `percent` percent of the values lie, or
  /// the longest value if that is less.
  func percentile(_ percent: Int) -> Nanoseconds {
    let wanted = max(1, (total * percent + 99) / 100)
    var seen = 0
    for (bucket, count) in counts.enumerated() {
      seen += count
      if seen >= wanted { return min(longest, Nanoseconds(Self.highest(in: bucket))) }
    }
    return .zero
  }

  /// Returns the bucket of a value. Each value below 128 has its own bucket; for larger values, the
  /// seven highest bits determine the bucket.
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
