/// What `malloc_state` in glibc's `malloc/malloc.c` has before its bins. Sizes are in bytes.
package struct ArenaLayout: Sendable {
  /// The number of lists of small free blocks, the fast bins.
  private let fastBinCount: UInt
  /// The size of what comes before the bins.
  package let header: UInt

  /// The layouts until 2.42, and since 2.43.
  private static let all = [
    ArenaLayout(fastBinCount: 10, header: 112), ArenaLayout(fastBinCount: 0, header: 24),
  ]
  /// The offset of the address of the next arena, from the bins.
  package static let next: UInt = 2048
  /// The size of the two words right before the bins.
  package static let top: UInt = 16

  /// Returns the layout with which arenas are a list, or nil if the version of glibc isn't a known
  /// one.
  ///
  /// - Parameters:
  ///   - arenas: The addresses of the bins of all arenas.
  ///   - word: Reads a word.
  package static func of(_ arenas: [UInt], word: (UInt) -> UInt?) -> ArenaLayout? {
    let known = Set(arenas)
    let nexts = arenas.compactMap { word($0 &+ next) }
    return all.first { layout in nexts.contains { known.contains($0 &+ layout.header) } }
  }

  /// Returns the places of the first chunks of the fast bins of an arena.
  package func fastBins(before bins: UInt) -> [UInt] {
    (0..<fastBinCount).map { bins &- Self.top &- (fastBinCount &- $0) * 8 }
  }
}

/// The layout of a thread's cache of free blocks: `tcache_perthread_struct` in glibc's
/// `malloc/malloc.c`. A number of 16 bits for each list comes before the addresses of the first
/// blocks.
package struct ThreadCacheLayout: Sendable {
  package let listCount: Int
  /// Whether the numbers are those of the blocks of a list. If false, they are those of the blocks
  /// for which a list has room.
  package let countsBlocks: Bool

  /// The layouts until 2.41, and since 2.42.
  package static let all = [
    ThreadCacheLayout(listCount: 64, countsBlocks: true),
    ThreadCacheLayout(listCount: 76, countsBlocks: false),
  ]
  /// The number of lists of blocks of one size. The chunks of a later list have sizes from one
  /// power of two to the next one.
  private static let exactLists = 64
  private static let minInexactSize: UInt = 1 << 10

  /// The size of a cache in bytes.
  package var size: UInt { UInt(listCount) * 10 }

  /// The sizes that the block of a cache can have. A chunk can be larger than necessary if the rest
  /// would be too small for a chunk.
  package var blockSizes: [UInt] {
    let chunk = (size &+ 8 &+ 15) & ~15
    return [0, 16, 32].map { chunk &- 8 &+ $0 }
  }

  /// Returns whether a list can have a block of a size.
  package func has(_ size: UInt, in list: Int) -> Bool {
    guard list >= Self.exactLists else { return size == 24 + UInt(list) * 16 }
    let minSize = Self.minInexactSize << UInt(list - Self.exactLists)
    return minSize..<minSize * 2 ~= size + 8
  }

  /// Returns the number of blocks of each list of a cache, or nil if it isn't one.
  package func counts(_ words: [UInt]) -> [Int]? {
    let numbers = (0..<listCount).map { Int(words[$0 / 4] >> UInt($0 % 4 * 16) & 0xFFFF) }
    guard !countsBlocks else { return numbers }
    guard let room = numbers.max(), room > 0 else { return nil }
    return numbers.map { room - $0 }
  }
}
