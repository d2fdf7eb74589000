import ProcessMemory

/// The lists of free blocks of glibc whose chunks are marked as used: the fast bins of arenas, and
/// the caches of threads.
struct FreeLists {
  /// The size of the header of a chunk.
  private static let header: UInt = 16
  /// Since glibc 2.32, the address of the next free block is protected by its place.
  private static let protectedShift: UInt = 12

  let blocks: HeapBlocks
  let memory: ProcessMemory
  /// Whether threads of the process run.
  let isRunning: Bool

  /// A thread's cache, and the blocks in its lists.
  private struct Cache {
    let block: Int
    let entries: [Int]
  }

  /// Marks the blocks of the fast bins as free.
  func freeFastBins(_ layout: ArenaLayout, before bins: UInt) {
    for list in layout.fastBins(before: bins) {
      guard var chunk = memory.word(list) else { continue }
      while chunk != 0, let block = usedBlock(at: chunk &+ Self.header) {
        blocks.free(block)
        chunk = next(chunk &+ Self.header)
      }
    }
  }

  /// Marks the blocks of the caches of threads as free. Returns whether there is a cache whose
  /// layout is known, and the second word of these blocks, or 0 if they don't have the same one.
  /// Returns nil if time runs out.
  func freeCaches(isInTime: () -> Bool) -> (isKnown: Bool, key: UInt)? {
    var found: [Cache] = []
    for layout in ThreadCacheLayout.all {
      var caches: [Cache] = []
      for block in layout.blockSizes.lazy.flatMap(blocks.usedBlocks) {
        guard isInTime() else { return nil }
        guard let entries = entries(of: block, layout) else { continue }
        caches.append(Cache(block: block, entries: entries))
      }
      func size(_ caches: [Cache]) -> Int { caches.reduce(0) { $0 + $1.entries.count } }
      if size(caches) > size(found) { found = caches }
    }
    for cache in found {
      cache.entries.forEach(blocks.free)
      // The cache itself is in use. Its words aren't references.
      blocks.makeLeaf(cache.block)
    }
    return (!found.isEmpty, key(of: found.flatMap(\.entries)))
  }

  /// Returns the word by which glibc recognizes that a block is freed twice, a random number (since
  /// glibc 2.34). Threads that run can have taken a few of the blocks out of their lists.
  private func key(of blocks: [Int]) -> UInt {
    var counts: [UInt: Int] = [:]
    for block in blocks {
      guard let word = memory.word(self.blocks.range(of: block).lowerBound &+ 8) else { continue }
      counts[word, default: 0] += 1
    }
    return counts.first { $1 > 1 && $1 * 2 > blocks.count }?.key ?? 0
  }

  /// Returns the maximum number of lists that a thread changes while its cache is read. A thread
  /// that is stopped can be about to change one.
  private func maxChanging(besides filled: Int) -> Int { isRunning ? max(8, filled / 3) : 1 }

  /// Returns the blocks in the lists of a cache, or nil if the block isn't such a cache or is an
  /// empty one.
  ///
  /// If the thread runs, a list can change after its beginning was read. What comes after the
  /// change isn't returned.
  private func entries(of cache: Int, _ layout: ThreadCacheLayout) -> [Int]? {
    var words = [UInt](repeating: 0, count: Int(layout.size / 8))
    let size = words.count * 8
    guard memory.copy(from: blocks.range(of: cache).lowerBound, to: &words, count: size) == size,
      let counts = layout.counts(words)
    else { return nil }
    var entries: [Int] = []
    var (filled, changing) = (0, 0)
    for (number, (count, first)) in zip(counts, words.suffix(layout.listCount)).enumerated() {
      let found = list(number, from: first, layout, maxCount: isRunning ? count : count + 1)
      entries += found
      let isWhole = isRunning ? (count == 0) == found.isEmpty : count == found.count
      if !isWhole || (count == 0) != (first == 0) {
        changing += 1
      } else if count > 0 {
        filled += 1
      }
    }
    return filled > changing && changing <= maxChanging(besides: filled) ? entries : nil
  }

  /// Returns the blocks of a list of a cache.
  private func list(
    _ number: Int, from first: UInt, _ layout: ThreadCacheLayout, maxCount: Int
  ) -> [Int] {
    var found: [Int] = []
    var address = first
    while address != 0, found.count < maxCount, let block = usedBlock(at: address),
      layout.has(UInt(blocks.range(of: block).count), in: number)
    {
      found.append(block)
      address = next(address)
    }
    return found
  }

  private func usedBlock(at address: UInt) -> Int? {
    blocks.block(at: address).flatMap { blocks.isUsed($0) ? $0 : nil }
  }

  private func next(_ block: UInt) -> UInt {
    (memory.word(block) ?? 0) ^ block >> Self.protectedShift
  }
}
