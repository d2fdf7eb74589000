import CRuntime.OwnProcess
import ProcessMemory
import SwiftRuntime

/// The blocks of glibc in a snapshot, with those that are free: in a bin, or in the cache of a
/// thread. Everything else is memory whose use isn't known.
final class BlockTable {
  /// The layouts of `heap_info` and `malloc_state` in glibc's `malloc/arena.c` and
  /// `malloc/malloc.c`, from the start of the bins. Offsets and sizes are in bytes.
  private enum Arena {
    static let binsSize: UInt = 2032
    /// The bins and the rest of the arena, up to the first chunk.
    static let end: UInt = 2088
  }

  /// The maximum size of the data before the first chunk of a part.
  private static let maxHeader: UInt = 4096
  /// The number of consecutive chunks that can't be a coincidence.
  private static let minChunks = 8
  private static let maxBlocks = 1 << 24

  let snapshot: MemorySnapshot
  var marking = trace_marking()
  /// The ranges of memory that isn't in blocks. All of their words can be references.
  private(set) var others: [Range<UInt>] = []
  private var memory: [(start: UnsafeMutableRawPointer, size: Int)] = []

  /// Lists the blocks. Returns nil if time or memory runs out.
  init?(_ snapshot: MemorySnapshot, isInTime: () -> Bool) {
    self.snapshot = snapshot
    let arenas = snapshot.indices.flatMap { snapshot.uses[$0] == .stack ? [] : bins(in: $0) }
    let tops = Set(arenas.compactMap { snapshot.word($0 &- ArenaLayout.top) })
    let layout = ArenaLayout.of(arenas, word: snapshot.word)
    let chains = arenas.flatMap { bins in
      layout?.fastBins(before: bins).compactMap(snapshot.word) ?? []
    }
    var first: [UInt?] = []
    var count = 0
    for index in snapshot.indices {
      guard isInTime() else { return nil }
      let start = firstChunk(of: index, arenas, tops)
      first.append(start)
      guard let start else { continue }
      var blocks = trace_blocks()
      _ = trace_list_chunks(&snapshot.parts[index], UInt32(index), start, &blocks, 0)
      count += blocks.count
    }
    guard count < Self.maxBlocks, allocate(count) else { return nil }
    for index in snapshot.indices {
      guard isInTime() else { return nil }
      let part = snapshot.parts[index]
      guard let start = first[index] else {
        others.append(part.start..<part.end)
        continue
      }
      let end = trace_list_chunks(
        &snapshot.parts[index], UInt32(index), start, &marking.blocks, count)
      others += [part.start..<start, end..<part.end].filter { !$0.isEmpty }
    }
    // The arenas have the addresses of free chunks.
    let header = layout?.header ?? ArenaLayout.top
    for bins in arenas { snapshot.clear(bins &- header..<bins &+ Arena.binsSize) }
    for top in tops {
      let block = trace_block_around(&marking.blocks, top &+ UInt(ObjectLayout.header))
      if block >= 0 { marking.blocks.states[block] = UInt8(trace_block_free.rawValue) }
    }
    for chain in chains where chain != 0 { trace_free_chain(&marking, chain) }
    for layout in ThreadCacheLayout.all {
      trace_free_cached(&marking, layout.listCount, layout.countsBlocks)
    }
  }

  deinit { for (start, size) in memory { ProcessMemory.unmap(start, size) } }

  private func bins(in index: Int) -> [UInt] {
    var found: [UInt] = []
    var from = snapshot.parts[index].start
    while true {
      let bins = trace_find_bins(&snapshot.parts[index], from)
      guard bins != 0 else { return found }
      found.append(bins)
      from = bins &+ Arena.binsSize
    }
  }

  /// Returns the first chunk of a part, or nil if the part doesn't consist of chunks.
  private func firstChunk(of index: Int, _ arenas: [UInt], _ tops: Set<UInt>) -> UInt? {
    guard snapshot.uses[index] == .heap else { return nil }
    let part = snapshot.parts[index]
    func isFirst(_ address: UInt) -> Bool {
      var blocks = trace_blocks()
      let end = trace_list_chunks(&snapshot.parts[index], UInt32(index), address, &blocks, 0)
      // The chunks of an arena end with its top, which reaches to the end of the part.
      return blocks.count >= Self.minChunks
        || blocks.count > 0 && tops.contains { address <= $0 && $0 < end }
    }
    if let bins = arenas.first(where: { part.start <= $0 && $0 < part.start &+ Self.maxHeader }) {
      let first = (bins &+ Arena.end &+ ObjectLayout.alignmentMask) & ~ObjectLayout.alignmentMask
      return isFirst(first) ? first : nil
    }
    let end = min(part.end, part.start &+ Self.maxHeader)
    return stride(from: part.start, to: end, by: 16).first(where: isFirst)
  }

  private func allocate(_ count: Int) -> Bool {
    func make<Value>(_ type: Value.Type, _ count: Int) -> UnsafeMutablePointer<Value>? {
      let size = max(1, count) * MemoryLayout<Value>.stride
      guard let start = ProcessMemory.map(size) else { return nil }
      memory.append((start, size))
      return start.assumingMemoryBound(to: type)
    }
    guard let starts = make(UInt.self, count), let ends = make(UInt.self, count),
      let states = make(UInt8.self, count), let owners = make(UInt32.self, count),
      let parts = make(UInt32.self, count), let open = make(UInt32.self, count),
      let hits = make(trace_hit.self, Self.maxHits)
    else { return false }
    marking.blocks = trace_blocks(
      count: 0, starts: starts, ends: ends, states: states, owners: owners, parts: parts)
    marking.parts = UnsafePointer(snapshot.parts.baseAddress)
    marking.open = open
    marking.hits = hits
    marking.hit_capacity = Self.maxHits
    return true
  }

  /// The maximum number of words that lead to tasks.
  private static let maxHits = 1 << 18

  // MARK: Marking

  /// Returns the index of the block that contains an address.
  func block(around address: UInt) -> Int? {
    let index = trace_block_around(&marking.blocks, address)
    return index >= 0 ? index : nil
  }

  func range(of block: Int) -> Range<UInt> {
    marking.blocks.starts[block]..<marking.blocks.ends[block]
  }

  /// The blocks that have a mapping of their own, because they are large.
  var mappedBlocks: [Range<UInt>] {
    others.flatMap { range -> [Range<UInt>] in
      guard let index = snapshot.index(of: range.lowerBound), snapshot.uses[index] == .heap else {
        return []
      }
      let page = ProcessMemory.pageSize
      var found: [Range<UInt>] = []
      var at = (range.lowerBound &+ page &- 1) & ~(page &- 1)
      while at < range.upperBound {
        let size = Allocator.mappedSize(snapshot.word(at), snapshot.word(at &+ 8))
        guard let size, size <= range.upperBound &- at else {
          at &+= page
          continue
        }
        found.append(at &+ Allocator.mappedHeader..<at &+ size)
        at &+= size
      }
      return found
    }
  }

  /// Reports whether a place is in an item that libdispatch keeps for later use. Such an item still
  /// has the address of its last work. It also has the number of items in its list, which ends
  /// with number 1.
  func isCached(_ place: UInt) -> Bool {
    guard var block = block(around: place) else { return false }
    var expected: UInt?
    for _ in 0..<DispatchItemLayout.maxCached {
      let item = range(of: block).lowerBound
      guard DispatchItemLayout.blockSizes.contains(range(of: block).count),
        let count = snapshot.word(item &+ DispatchItemLayout.cacheCount).map({ $0 & 0xFFFF_FFFF }),
        (1...UInt(DispatchItemLayout.maxCached)).contains(count),
        expected.map({ $0 == count }) ?? true,
        let next = snapshot.word(item &+ DispatchItemLayout.next)
      else { return false }
      if count == 1 || next == 0 { return count == 1 && next == 0 }
      guard let index = self.block(around: next), range(of: index).lowerBound == next else {
        return false
      }
      expected = count - 1
      block = index
    }
    return false
  }

  /// Marks everything to which the words in a range lead.
  func mark(from range: Range<UInt>, owner: Int = 0) {
    guard let index = snapshot.index(of: range.lowerBound) else { return }
    let part = snapshot.parts[index]
    let end = min(range.upperBound, part.end)
    guard range.lowerBound < end else { return }
    trace_mark(
      &marking, part.words + Int(range.lowerBound - part.start) / 8,
      Int(end - range.lowerBound) / 8, range.lowerBound, UInt32(owner))
  }

  /// Marks everything to which one value leads.
  func mark(from value: UInt) {
    withUnsafePointer(to: value) { trace_mark(&marking, $0, 1, 0, 0) }
  }

  /// Forgets which blocks are marked.
  func unmark() {
    for block in 0..<marking.blocks.count
    where marking.blocks.states[block] == UInt8(trace_block_marked.rawValue) {
      marking.blocks.states[block] = UInt8(trace_block_unmarked.rawValue)
    }
  }

  /// Removes and returns the words that lead to tasks. Returns nil if there were too many.
  func takeHits() -> [trace_hit]? {
    defer { marking.hit_count = 0 }
    guard marking.hit_count < marking.hit_capacity else { return nil }
    return Array(UnsafeBufferPointer(start: marking.hits, count: marking.hit_count))
  }
}
