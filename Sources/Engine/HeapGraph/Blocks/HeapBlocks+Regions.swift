import CRuntime.Heap
package import ProcessMemory
import SwiftRuntime

/// The lists of blocks: those of glibc's allocator, or the objects of any other one.
extension HeapBlocks {
  /// The layouts of `heap_info` and `malloc_state` in glibc's `malloc/arena.c` and
  /// `malloc/malloc.c`. Offsets are from the start of the bins. Offsets and sizes are in bytes.
  private enum Arena {
    /// The size and the alignment of the heaps of all arenas except the first.
    static let heapSize: UInt = 64 << 20
    static let binsSize: UInt = 2032
    /// The bins and the rest of the arena, up to the first chunk.
    static let end: UInt = 2088
  }

  enum Chunk {
    static let header: UInt = 16
    static let size: UInt = 8
    static let flags: UInt = 7
    static let isMapped: UInt = 2
    /// The minimum size of a block that is mapped on its own (`DEFAULT_MMAP_THRESHOLD_MIN`).
    static let minMapped: UInt = 128 << 10
    /// The minimum size of a chunk.
    static let minSize = 32

    /// Reports whether a block of `size` bytes can be the block for a request of `count` bytes. The
    /// allocator rounds up, and doesn't leave a remainder that is too small for a chunk.
    static func isBlock(of size: Int, for count: Int) -> Bool {
      count <= size && count > size - minSize
    }
  }

  /// The maximum number of arenas. A program has up to eight for each processor.
  private static let maxArenas = 1 << 14
  /// The maximum size of the data before the first chunk of a part.
  private static let maxHeader: UInt = 4096
  /// The number of consecutive chunks that can't be a coincidence.
  private static let minChunks = 8

  /// Lists the blocks of glibc's allocator.
  func chunkRegions() throws(Failure) -> [heap_region] {
    for part in map.parts where part.use == .heap || part.use == .variables {
      guard isInTime() else { throw .limit }
      arenas += arenas(in: part)
      guard arenas.count <= Self.maxArenas else { throw .limit }
    }
    guard !arenas.isEmpty else { throw .unknownAllocator }
    arenaLayout = ArenaLayout.of(arenas) { memory.word($0) }
    let tops = Set(arenas.compactMap { memory.word($0 &- ArenaLayout.top) })
    var found: [heap_region] = []
    for part in map.parts {
      guard isInTime() else { throw .limit }
      if part.use == .heap {
        try list(part, tops, &found)
      } else if part.hasRoots {
        others.append(part.start..<part.end)
      }
    }
    // The lists of free chunks have their addresses, which aren't references.
    let header = arenaLayout?.header ?? ArenaLayout.top
    for arena in arenas { exclude(max(arena, header) - header..<arena &+ Arena.binsSize) }
    return found
  }

  /// Lists the objects of all memory that an allocator can have.
  func objectRegions() throws(Failure) -> [heap_region] {
    heap.has_only_objects = true
    var found: [heap_region] = []
    for part in map.parts {
      guard part.use == .heap else {
        if part.hasRoots { others.append(part.start..<part.end) }
        continue
      }
      let pieces = pieces(of: part)
      guard isInTime() else { throw .limit }
      for piece in pieces {
        guard isInTime(), found.count < Self.maxRegions else { throw .limit }
        var region = heap_region()
        (region.start, region.end) = (piece.lowerBound, piece.upperBound)
        add(&region)
        guard heap_list_objects(&heap, &region, part.end) else { throw .limit }
        found.append(region)
      }
    }
    return found
  }

  /// Lists the blocks of another allocator that describes them.
  func regions(of list: BlockList) throws(Failure) -> [heap_region] {
    heap.has_size_classes = true
    var found: [heap_region] = []
    var index = 0
    while index < list.runs.count {
      guard isInTime(), found.count < Self.maxRegions else { throw .limit }
      var region = heap_region()
      (region.start, region.end) = (list.runs[index].range.lowerBound, 0)
      let first = index
      repeat {
        region.end = list.runs[index].range.upperBound
        index += 1
      } while index < list.runs.count && list.runs[index].range.lowerBound == region.end
      add(&region)
      for run in list.runs[first..<index] {
        guard
          heap_add_run(
            &heap, &region, heap_range(start: run.range.lowerBound, end: run.range.upperBound),
            run.start, run.size, run.count)
        else { throw .limit }
      }
      found.append(region)
    }
    noteOthers(outside: found)
    return found
  }

  /// Adds the parts of memory with roots, and what isn't in a region, to `others`.
  private func noteOthers(outside regions: [heap_region]) {
    var next = 0
    for part in map.parts {
      guard part.use == .heap else {
        if part.hasRoots { others.append(part.start..<part.end) }
        continue
      }
      var start = part.start
      while next < regions.count, regions[next].start < part.end {
        if start < regions[next].start { others.append(start..<regions[next].start) }
        start = max(start, regions[next].end)
        guard regions[next].end <= part.end else { break }
        next += 1
      }
      if start < part.end { others.append(start..<part.end) }
    }
  }

  /// Notes which of the listed blocks aren't in use, and which have no references.
  func noteUnused(of list: BlockList) {
    for address in list.free {
      if let block = block(at: address) { free(block) }
    }
    for cache in list.caches {
      if let block = block(around: cache), isUsed(block) { makeLeaf(block) }
    }
  }

  private static let maxCaches = 1 << 12

  /// Finds the caches of jemalloc's threads.
  func noteCaches() throws(Failure) {
    guard let caches = table(heap_range.self, Self.maxCaches) else { throw .limit }
    heap.caches = caches
    for part in map.parts where [.stack, .heap, .variables].contains(part.use) {
      guard isInTime() else { throw .limit }
      guard let range = Self.threadVariables(in: part) else { continue }
      forEachCopy(of: range) { words, count in
        var (index, cache) = (0, heap_range())
        while heap_find_cache(words, &index, count, &cache) > 0 { note(cache: cache) }
      }
    }
  }

  /// Returns where a part can have the variables of a thread: all of it, or the end of a stack.
  package static func threadVariables(in part: MemoryMap.Part) -> Range<UInt>? {
    var size = part.end &- part.start
    if part.use == .stack { size = min(size, maxThreadVariables.ofStack) }
    return size <= maxThreadVariables.others ? part.end &- size..<part.end : nil
  }

  /// Notes memory whose words don't lead to anything, although it isn't known what it is.
  func note(cache: heap_range) {
    guard heap.cache_count < Self.maxCaches else { return }
    heap.caches[heap.cache_count] = cache
    heap.cache_count += 1
  }

  /// The maximum distance between two parts of memory with content that are read as one, in bytes.
  private static let maxHole: UInt = 1 << 16

  /// Returns the parts of a part of memory that have content.
  private func pieces(of part: MemoryMap.Part) -> [Range<UInt>] {
    var found: [Range<UInt>] = []
    forEachPart(of: part.start..<part.end) { piece in
      if let last = found.last, piece.lowerBound - last.upperBound <= Self.maxHole {
        found[found.count - 1] = last.lowerBound..<piece.upperBound
      } else {
        found.append(piece)
      }
    }
    return found
  }

  private func exclude(_ range: Range<UInt>) {
    others = others.flatMap { other -> [Range<UInt>] in
      guard other.overlaps(range) else { return [other] }
      return [
        other.lowerBound..<max(other.lowerBound, range.lowerBound),
        min(other.upperBound, range.upperBound)..<other.upperBound,
      ].filter { !$0.isEmpty }
    }
  }

  /// The maximum size of the variables of a program or a library that are searched for an arena.
  private static let maxVariables = 64 << 20

  /// Returns the addresses of the bins of the arenas in a part. The first arena is a variable of
  /// the C library. Others are at the start of their first heap.
  private func arenas(in part: MemoryMap.Part) -> [UInt] {
    guard part.use == .heap else {
      guard Int(part.end - part.start) <= Self.maxVariables else { return [] }
      return bins(in: part.start..<part.end)
    }
    return heapStarts(in: part).flatMap {
      bins(in: $0..<min(part.end, $0 &+ Self.maxHeader))
    }
  }

  /// Returns the addresses of a part at which the heap of an arena can start.
  private func heapStarts(in part: MemoryMap.Part) -> [UInt] {
    let first = (part.start &+ Arena.heapSize &- 1) / Arena.heapSize * Arena.heapSize
    return [part.start]
      + stride(from: first, to: part.end, by: Int(Arena.heapSize))
      .filter { $0 != part.start }
  }

  /// Finds the bins of arenas, most of which are empty: an empty bin has its own address.
  private func bins(in range: Range<UInt>) -> [UInt] {
    var found: [UInt] = []
    let size = range.count & ~7
    guard size > 0 else { return [] }
    withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { copy in
      guard let start = copy.baseAddress else { return }
      var done = 0
      while done < size {
        let copied = memory.copy(
          from: range.lowerBound &+ UInt(done), to: start + done, count: size - done)
        guard copied > 0 else { return }
        done += copied
      }
      let words = start.assumingMemoryBound(to: UInt.self)
      var from = 0
      while true {
        let index = heap_find_bins(words, from, size / 8, range.lowerBound)
        guard index >= 0 else { return }
        found.append(range.lowerBound &+ UInt(index) * 8)
        from = index + Int(Arena.binsSize / 8)
      }
    }
    return found
  }

  /// Adds the regions of a part that consist of blocks, and the rest to `others`.
  private func list(
    _ part: MemoryMap.Part, _ tops: Set<UInt>, _ found: inout [heap_region]
  ) throws(Failure) {
    var position = part.start
    for start in heapStarts(in: part) where start >= position {
      guard let first = firstChunk(from: start, to: part.end, tops) else { continue }
      var region = heap_region()
      region.start = first
      region.end = part.end
      try listMapped(position..<first, &found)
      guard found.count < Self.maxRegions else { throw .limit }
      add(&region)
      var count = 0
      let end = heap_list_chunks(&heap, &region, .max, &count)
      region.end = end
      // The next heap of the same part uses the rest.
      reserve(region)
      found.append(region)
      position = region.has_grown ? part.end : end
    }
    try listMapped(position..<part.end, &found)
  }

  /// Returns the first chunk of a heap, or nil if there isn't a heap.
  private func firstChunk(from start: UInt, to end: UInt, _ tops: Set<UInt>) -> UInt? {
    func isFirst(_ address: UInt) -> Bool {
      var region = heap_region()
      region.start = address
      region.end = end
      var count = 0
      heap.starts = nil
      let last = heap_list_chunks(&heap, &region, UInt(Self.minChunks), &count)
      // The chunks of an arena end with its top, which reaches to the end.
      return count >= Self.minChunks
        || count > 0 && tops.contains { address <= $0 && $0 < last }
    }
    if let bins = arenas.first(where: { start <= $0 && $0 < start &+ Self.maxHeader }) {
      let first = (bins &+ Arena.end &+ ObjectLayout.alignmentMask) & ~ObjectLayout.alignmentMask
      return isFirst(first) ? first : nil
    }
    // A word that isn't the size of a chunk is skipped without reading more.
    return stride(from: start, to: min(end, start &+ Self.maxHeader), by: 16).first { address in
      guard let header = memory.word(address &+ Chunk.size), header & ~Chunk.flags != 0 else {
        return false
      }
      return isFirst(address)
    }
  }

  /// Adds the blocks of a range that are mapped on their own, and the rest to `others`.
  private func listMapped(
    _ range: Range<UInt>, _ found: inout [heap_region]
  ) throws(Failure) {
    let page = ProcessMemory.pageSize
    var rest = range.lowerBound
    var at = (range.lowerBound &+ page &- 1) & ~(page &- 1)
    while at < range.upperBound {
      if at & 0xFF_FFFF == 0, !isInTime() { throw .limit }
      guard memory.word(at) == 0, let header = memory.word(at &+ Chunk.size),
        header & Chunk.flags == Chunk.isMapped,
        // Since glibc 2.43, the size doesn't include the header.
        case let size = (header & ~Chunk.flags &+ Chunk.header) & ~Chunk.header,
        size & (page &- 1) == 0, size >= Chunk.minMapped, size <= range.upperBound &- at
      else {
        at &+= page
        continue
      }
      guard found.count < Self.maxRegions else { throw .limit }
      if rest < at { others.append(rest..<at) }
      var region = heap_region()
      region.start = at
      region.end = at &+ size
      add(&region)
      heap_add_block(&heap, &region)
      mapped.append(found.count)
      found.append(region)
      at &+= size
      rest = at
    }
    if rest < range.upperBound { others.append(rest..<range.upperBound) }
  }
}
