import ProcessMemory

/// The blocks of the C library's allocator that can be recognized from outside.
///
/// Only the layout of glibc is known. The eight bytes before a glibc block contain its size and
/// three flags, and the header of the following block shows whether this one is in use. Other
/// allocators store that elsewhere, and their functions crash on an address that isn't a block, so
/// they aren't called. With other allocators, only objects whose size Swift knows are examined.
struct Allocator {
  /// The layout of glibc's chunks on 64-bit platforms (`struct malloc_chunk` in `malloc/malloc.c`).
  /// A chunk is a block with its header. Offsets and sizes are in bytes.
  private enum Chunk {
    /// The size of the chunk, with the flags. It is right before the block.
    static let size: UInt = 8
    /// The block that the program uses. Its last `overlap` bytes belong to the following chunk.
    static let block: UInt = 16
    static let overlap: UInt = 8
    static let minSize: UInt = 32
    static let alignment: UInt = 16
    static let alignmentMask: UInt = 15

    // PREV_INUSE, IS_MMAPPED, NON_MAIN_ARENA
    static let isPreviousInUse: UInt = 1
    static let isMapped: UInt = 2
    static let flags: UInt = 7
  }

  /// The maximum plausible size of a chunk.
  private static let maxSize: UInt = 1 << 40
  /// The maximum number of bytes that a block has in addition to the requested ones. They are the
  /// rest of a free chunk that is too small to be split off.
  private static let maxSurplus: UInt = 1024

  private let memory: ProcessMemory
  let isKnown: Bool

  init(_ memory: ProcessMemory) {
    self.memory = memory
    isKnown = Self.isGlibc(memory)
  }

  /// Reports whether blocks look like those of glibc. Examines several new blocks of different
  /// sizes, because another allocator can be loaded before the C library's own.
  private static func isGlibc(_ memory: ProcessMemory) -> Bool {
    #if canImport(Glibc)
      return [40, 200, 1000].allSatisfy { count in
        let block = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
        defer { block.deallocate() }
        var header: UInt = 0
        guard
          memory.copy(
            from: UInt(bitPattern: block) - Chunk.overlap, to: &header,
            count: MemoryLayout<UInt>.size) == MemoryLayout<UInt>.size
        else { return false }
        return isSize(header, ofBlock: UInt(count))
      }
    #else
      return false
    #endif
  }

  /// Reports whether a word can be glibc's header of a block of `count` bytes. Before a block of
  /// another allocator, the word can have any value.
  static func isSize(_ word: UInt, ofBlock count: UInt) -> Bool {
    let size = word & ~Chunk.flags
    let minSize = count + Chunk.overlap
    return word & Chunk.isMapped == 0 && size & Chunk.alignmentMask == 0
      && (minSize...minSize + maxSurplus).contains(size)
  }

  /// Reports whether a block of `size` bytes can be the block for a request of `count` bytes. The
  /// allocator rounds up, and doesn't leave a remainder that is too small for a chunk.
  static func isBlock(of size: Int, for count: Int) -> Bool {
    count <= size && count > size - Int(Chunk.minSize)
  }

  /// The distance from the start of a mapping to the block in it, if a block has a mapping of its
  /// own.
  static let mappedHeader = Chunk.block

  /// Returns the size of the mapping of a block that has its own, given the first two words of the
  /// mapping. Returns nil if they aren't those of such a block.
  static func mappedSize(_ first: UInt?, _ header: UInt?) -> UInt? {
    guard first == 0, let header, header & Chunk.flags == Chunk.isMapped,
      case let size = mappedSize(header), size >= ProcessMemory.pageSize,
      size % ProcessMemory.pageSize == 0
    else { return nil }
    return size
  }

  /// Returns the size of a mapping. Since glibc 2.43, the size in its header is without the header.
  private static func mappedSize(_ header: UInt) -> UInt {
    (header & ~Chunk.flags &+ Chunk.block) & ~Chunk.block
  }

  /// Returns the number of usable bytes of the block that starts at an address, or nil if no block
  /// in use starts there.
  func size(_ address: UInt) -> Int? {
    guard isKnown, address & Chunk.alignmentMask == 0,
      let header = memory.word(address &- Chunk.block &+ Chunk.size)
    else { return nil }
    let size = header & ~Chunk.flags
    guard size >= Chunk.minSize, size & Chunk.alignmentMask == 0, size < Self.maxSize else {
      return nil
    }
    // A block with its own mapping doesn't have a neighbor.
    if header & Chunk.isMapped != 0 {
      let page = ProcessMemory.pageSize
      let size = Self.mappedSize(header)
      let end = address &- Chunk.block &+ size
      guard address % page == Chunk.block, size % page == 0,
        memory.word(end &- UInt(MemoryLayout<UInt>.size)) != nil
      else { return nil }
      return Int(size - Chunk.block)
    }
    guard let following = memory.word(address &- Chunk.block &+ size &+ Chunk.size),
      following & Chunk.isPreviousInUse != 0, following & ~Chunk.flags >= Chunk.alignment
    else { return nil }
    return Int(size - Chunk.block + Chunk.overlap)
  }

  /// The maximum distance from the start of a block to an address in it, in bytes, for the search
  /// without a block list.
  private static let reach: UInt = 1 << 16

  func block(around address: UInt, in blocks: BlockList) -> Range<UInt>? {
    guard isKnown else { return nil }
    switch blocks.block(around: address) {
    case .block(let start): return size(start).map { start..<start &+ UInt($0) }
    case .gap: return nil
    case .unknown: break
    }
    var start = address & ~Chunk.alignmentMask
    let lowest = start > Self.reach ? start - Self.reach : Chunk.alignment
    while start >= lowest {
      if let size = size(start) {
        return start &+ UInt(size) > address ? start..<start &+ UInt(size) : nil
      }
      start -= Chunk.alignment
    }
    return nil
  }

  /// Lists the blocks in the parts of memory that belong to the allocator.
  func blocks(in parts: [MemoryMap.Part], isInTime: () -> Bool) -> BlockList {
    var list = BlockList()
    guard isKnown else { return list }
    for part in parts where part.use == .heap && isInTime() {
      // The search itself allocates memory. So nothing is allocated between the first and the last
      // read of a part: the walk that counts caches the pages for the walk that stores.
      memory.forgetPages()
      guard let first = firstChunk(of: part) else { continue }
      var count = 0
      _ = visitChunks(from: first, of: part) { _ in count += 1 }
      var starts: [UInt] = []
      starts.reserveCapacity(count)
      let end = visitChunks(from: first, of: part) { starts.append($0 &+ Chunk.block) }
      list.add(starts, end: end)
    }
    return list
  }

  /// Calls the body for each chunk of a part, and returns the end of the last one.
  private func visitChunks(
    from first: UInt, of part: MemoryMap.Part, _ body: (UInt) -> Void
  ) -> UInt {
    var chunk = first
    while chunk &+ Chunk.minSize <= part.end, let size = chunkSize(chunk, in: part) {
      body(chunk)
      chunk &+= size
    }
    return chunk
  }

  /// Returns the size of the chunk at an address, or nil if there isn't one.
  private func chunkSize(_ chunk: UInt, in part: MemoryMap.Part) -> UInt? {
    guard let header = memory.word(chunk &+ Chunk.size), header & Chunk.isMapped == 0 else {
      return nil
    }
    let size = header & ~Chunk.flags
    return size >= Chunk.minSize && size & Chunk.alignmentMask == 0 && size <= part.end &- chunk
      ? size : nil
  }

  /// The maximum size of the data of an arena (`heap_info` and `malloc_state` in `malloc/arena.c`).
  private static let maxArenaSize = 4096
  /// The number of consecutive chunks that can't be a coincidence.
  private static let sampleCount = 8

  /// Returns the first chunk of a part. The main thread's heap starts with it. In the heaps of
  /// other threads, it comes after the data of the arena.
  private func firstChunk(of part: MemoryMap.Part) -> UInt? {
    for offset in stride(from: 0, to: Self.maxArenaSize, by: Int(Chunk.alignment)) {
      let first = part.start &+ UInt(offset)
      var chunk = first
      var count = 0
      while count < Self.sampleCount, chunk &+ Chunk.minSize <= part.end,
        let size = chunkSize(chunk, in: part)
      {
        count += 1
        chunk &+= size
      }
      if count == Self.sampleCount { return first }
    }
    return nil
  }
}

/// The addresses of the blocks in some parts of memory.
struct BlockList {
  enum Answer {
    /// The start of the block that contains the address.
    case block(UInt)
    /// The address isn't in a block.
    case gap
    /// The address isn't in a listed part.
    case unknown
  }

  private var runs: [(starts: [UInt], end: UInt)] = []

  mutating func add(_ starts: [UInt], end: UInt) {
    if !starts.isEmpty { runs.append((starts, end)) }
  }

  func block(around address: UInt) -> Answer {
    for run in runs where run.starts[0] <= address && address < run.end {
      var (low, high) = (0, run.starts.count)
      while low < high {
        let middle = (low + high) / 2
        if run.starts[middle] <= address { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? .block(run.starts[low - 1]) : .gap
    }
    return .unknown
  }
}
