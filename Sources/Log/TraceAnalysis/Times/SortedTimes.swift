import TraceFormat

/// Times in ascending order, in about 4 bytes each.
///
/// Each block of 64 times has its first time, and the distance of each time from it. If a distance
/// doesn't fit into 4 bytes, because more than 4 seconds are between the times of a block, all
/// times are stored in 8 bytes. A search first looks at the beginnings of the blocks, which fit
/// into a cache.
struct SortedTimes: RandomAccessCollection, Sendable {
  private static let block = 64

  /// The first time of each block.
  private let firsts: [Nanoseconds]
  private let distances: [UInt32]
  /// All times, if a distance doesn't fit; otherwise empty.
  private let whole: [Nanoseconds]

  /// Creates the list of times, which must ascend.
  init(_ times: [Nanoseconds]) {
    var firsts: [Nanoseconds] = []
    firsts.reserveCapacity((times.count + Self.block - 1) / Self.block)
    var fits = true
    for start in stride(from: 0, to: times.count, by: Self.block) {
      let last = times[Swift.min(start + Self.block, times.count) - 1]
      fits = fits && last.count - times[start].count <= UInt64(UInt32.max)
      firsts.append(times[start])
    }
    self.firsts = firsts
    // A copy has no room for more times.
    whole =
      fits
      ? []
      : Array(unsafeUninitializedCapacity: times.count) { buffer, count in
        _ = buffer.initialize(from: times)
        count = times.count
      }
    distances =
      fits
      ? times.indices.map { UInt32(times[$0].count - firsts[$0 / Self.block].count) } : []
  }

  var startIndex: Int { 0 }
  var endIndex: Int { distances.count + whole.count }

  subscript(index: Int) -> Nanoseconds {
    whole.isEmpty
      ? Nanoseconds(firsts[index / Self.block].count + UInt64(distances[index])) : whole[index]
  }

  /// Returns how many times are before `time`.
  func count(before time: Nanoseconds) -> Int { count { $0 >= time } }

  /// Returns how many times are before `time` or equal to it.
  func count(through time: Nanoseconds) -> Int { count { $0 > time } }

  @inline(__always)
  private func count(until isAfter: (Nanoseconds) -> Bool) -> Int {
    let blocks = firsts.partitionPoint(where: isAfter)
    guard blocks > 0 else { return 0 }
    let start = (blocks - 1) * Self.block
    return (start..<Swift.min(start + Self.block, count)).partitionPoint { isAfter(self[$0]) }
  }
}
