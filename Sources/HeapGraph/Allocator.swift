/// The blocks of the C library's allocator that can be recognized from outside.
///
/// Only the layout of glibc is known. The eight bytes before a glibc block contain its size and
/// three flags, and the header of the following block shows whether this one is in use. Other
/// allocators store that elsewhere, and their functions crash on an address that isn't a block, so
/// they aren't called. With other allocators, only objects whose size Swift knows are examined.
package struct Allocator {
  private let memory: ProcessMemory
  package let isKnown: Bool

  package init(_ memory: ProcessMemory) {
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
          memory.copy(from: UInt(bitPattern: block) - 8, to: &header, count: 8) == 8
        else { return false }
        return isSize(header, ofBlock: UInt(count))
      }
    #else
      return false
    #endif
  }

  /// Reports whether a word can be glibc's header of a block of `count` bytes. Before a block of
  /// another allocator, the word can have any value.
  package static func isSize(_ word: UInt, ofBlock count: UInt) -> Bool {
    let size = word & ~7
    return word & 7 <= 5 && word & 2 == 0 && size % 16 == 0
      && (count + 8...count + 8 + 1024).contains(size)
  }

  /// Returns the number of usable bytes of the block that starts at an address, or nil if no block
  /// in use starts there.
  package func size(_ address: UInt) -> Int? {
    guard isKnown, address & 15 == 0, let header = memory.word(address &- 8) else { return nil }
    let size = header & ~7
    guard size >= 32, size & 15 == 0, size < 1 << 40 else { return nil }
    // A block with its own mapping doesn't have a neighbor.
    if header & 2 != 0 {
      let page = ProcessMemory.pageSize
      guard address % page == 16, size % page == 0, memory.word(address &- 24 &+ size) != nil else {
        return nil
      }
      return Int(size) - 16
    }
    guard let following = memory.word(address &- 8 &+ size), following & 1 == 1,
      following & ~7 >= 16
    else { return nil }
    return Int(size) - 8
  }

  /// The maximum distance from the start of a block to an address in it, in bytes, for the search
  /// without a block list.
  private static let reach: UInt = 1 << 16

  package func block(around address: UInt, in blocks: BlockList) -> Range<UInt>? {
    guard isKnown else { return nil }
    switch blocks.block(around: address) {
    case .block(let start): return size(start).map { start..<start &+ UInt($0) }
    case .gap: return nil
    case .unknown: break
    }
    var start = address & ~15
    let lowest = start > Self.reach ? start - Self.reach : 16
    while start >= lowest {
      if let size = size(start) {
        return start &+ UInt(size) > address ? start..<start &+ UInt(size) : nil
      }
      start -= 16
    }
    return nil
  }

  /// Lists the blocks in the parts of memory that belong to the allocator.
  package func blocks(in parts: [MemoryMap.Part], isInTime: () -> Bool) -> BlockList {
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
      let end = visitChunks(from: first, of: part) { starts.append($0 &+ 16) }
      list.add(starts, end: end)
    }
    return list
  }

  /// Calls the body for each chunk of a part, and returns the end of the last one.
  private func visitChunks(
    from first: UInt, of part: MemoryMap.Part, _ body: (UInt) -> Void
  ) -> UInt {
    var chunk = first
    while chunk &+ 32 <= part.end, let size = chunkSize(chunk, in: part) {
      body(chunk)
      chunk &+= size
    }
    return chunk
  }

  /// Returns the size of the chunk at an address, or nil if there isn't one. The block that the
  /// program uses starts 16 bytes after the start of its chunk.
  private func chunkSize(_ chunk: UInt, in part: MemoryMap.Part) -> UInt? {
    guard let header = memory.word(chunk &+ 8), header & 2 == 0 else { return nil }
    let size = header & ~7
    return size >= 32 && size & 15 == 0 && size <= part.end &- chunk ? size : nil
  }

  /// Returns the first chunk of a part. The main thread's heap starts with it. In the heaps of
  /// other threads, it comes after the data of the arena.
  private func firstChunk(of part: MemoryMap.Part) -> UInt? {
    for offset in stride(from: UInt(0), to: 4096, by: 16) {
      var chunk = part.start &+ offset
      var count = 0
      while count < 8, chunk &+ 32 <= part.end, let size = chunkSize(chunk, in: part) {
        count += 1
        chunk &+= size
      }
      if count == 8 { return part.start &+ offset }
    }
    return nil
  }
}

/// The addresses of the blocks in some parts of memory.
package struct BlockList {
  package enum Answer {
    /// The start of the block that contains the address.
    case block(UInt)
    /// The address isn't in a block.
    case gap
    /// The address isn't in a listed part.
    case unknown
  }

  private var runs: [(starts: [UInt], end: UInt)] = []

  package mutating func add(_ starts: [UInt], end: UInt) {
    if !starts.isEmpty { runs.append((starts, end)) }
  }

  package func block(around address: UInt) -> Answer {
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
