import CRuntime.Heap
import HeapGraph
import ProcessMemory

/// The extents of jemalloc 5.3. A radix tree has the description of each page
/// (`include/jemalloc/internal/rtree.h` and `edata.h`).
struct JemallocExtents {
  /// The tree: a table of the addresses of tables, one for each GiB, with a word for each page.
  private enum Tree {
    static let gibibyteShift: UInt = 30
    static let pageShift: UInt = 12
    static let pagesOfTable: UInt = 1 << 18
    static let size: UInt = 1 << 21
    /// The maximum size of the variables that are searched for the tree.
    static let maxVariables: UInt = 64 << 20
    /// The bits of the description's address in the word of a page.
    static let descriptionBits: UInt = (1 << 48) - Description.size
    /// The maximum number of words that can belong to the tree.
    static let maxCandidates = 1024
  }

  /// The description of an extent, `edata_t`. Offsets are indices of words.
  private enum Description {
    static let size: UInt = 128
    static let words = 16
    static let address = 1
    static let extent = 2
    /// A bit for each block. It is set if the block isn't in use.
    static let blocks = 8
    static let maxBlocks: UInt = 512
    // The bits of the first word.
    static let slabShift: UInt = 12
    static let stateShift: UInt = 17
    static let classShift: UInt = 20
    static let freeShift: UInt = 28
    static let classCount: UInt = 232
  }

  private let reader: AllocatorReader
  private let page: UInt = 1 << Tree.pageShift

  init(_ reader: AllocatorReader) { self.reader = reader }

  func blocks() -> AllocatorBlocks? {
    guard let root = root() else { return nil }
    var found = AllocatorBlocks()
    var descriptions: Set<UInt> = []
    for part in reader.heapParts {
      guard reader.isInTime() else { return nil }
      forEachPage(of: part, root) { place, description in
        guard let (run, free) = run(description, around: place) else {
          found.noteOther()
          return nil
        }
        if descriptions.insert(description).inserted { found.add(run, free: free) }
        return run.range.upperBound
      }
    }
    // They have the addresses of the first blocks of pages.
    let own = ownMemory()
    found.list.runs += own.map { BlockRun(unused: $0) }
    found.list.runs += descriptions.filter { address in !own.contains { $0.contains(address) } }
      .map { BlockRun(unused: $0..<$0 &+ Description.size) }
    addCaches(to: &found)
    return found
  }

  /// Calls `body` with the address of each page and that of its description. It returns the end of
  /// the extent.
  private func forEachPage(
    of part: MemoryMap.Part, _ root: UInt, _ body: (_ page: UInt, _ description: UInt) -> UInt?
  ) {
    var address = part.start & ~(page - 1)
    while address < part.end, reader.isInTime() {
      let gibibyte = address >> Tree.gibibyteShift
      let end = min(part.end, (gibibyte + 1) << Tree.gibibyteShift)
      guard let table = reader.memory.word(root &+ gibibyte * 8), table != 0 else {
        address = end
        continue
      }
      let first = table &+ (address >> Tree.pageShift & (Tree.pagesOfTable - 1)) * 8
      let start = address
      let words = reader.words(first, count: (end - address) >> Tree.pageShift)
      for (index, word) in words.enumerated() {
        let place = start + UInt(index) << Tree.pageShift
        let description = word & Tree.descriptionBits
        guard place >= address, description != 0 else { continue }
        if let next = body(place, description) { address = next }
      }
      address = max(address, end)
    }
  }

  /// Returns the blocks of an extent and those that aren't in use, or nil instead of the latter if
  /// their number isn't the stated one. Returns nil if it isn't an extent with a page.
  private func run(
    _ description: UInt, around place: UInt
  ) -> (run: BlockRun, free: [UInt]?)? {
    let words = (0..<Description.words).compactMap {
      reader.memory.word(description &+ UInt($0) * 8)
    }
    guard words.count == Description.words else { return nil }
    let (bits, address) = (words[0], words[Description.address])
    let start = address & ~(page - 1)
    let (end, overflows) = start.addingReportingOverflow(
      words[Description.extent] & ~(page - 1))
    guard !overflows, start <= place, place < end else { return nil }
    guard bits >> Description.stateShift & 7 == 0 else {
      return (BlockRun(unused: start..<end), [])
    }
    let sizeClass = bits >> Description.classShift & 0xFF
    guard sizeClass < Description.classCount else { return nil }
    let size = Self.size(ofClass: sizeClass)
    guard bits >> Description.slabShift & 1 != 0 else {
      // A block of its own, and up to a page before and after it.
      let run = BlockRun(start..<end, start: address, size: size, count: 1)
      return run.isValid && end - start - size <= page ? (run, []) : nil
    }
    let count = (end - start) / size
    guard address == start, (end - start) % size == 0, count <= Description.maxBlocks else {
      return nil
    }
    let free = (0..<count).filter { index in
      words[Description.blocks + Int(index / 64)] >> (index % 64) & 1 != 0
    }
    let stated = bits >> Description.freeShift & 0x3FF
    return (
      BlockRun(start..<end, start: start, size: size, count: Int(count)),
      UInt(free.count) == stated ? free.map { start + $0 * size } : nil
    )
  }

  /// Returns the size of the blocks of a class (`include/jemalloc/internal/sc.h`): 8, multiples of
  /// 16, and then four sizes up to each power of two.
  static func size(ofClass number: UInt) -> UInt {
    guard number > 4 else { return number == 0 ? 8 : number * 16 }
    let base: UInt = 64 << ((number - 5) / 4)
    return base + ((number - 5) % 4 + 1) * (base / 4)
  }

  // MARK: The tree

  /// Finds the tree in variables: where a word leads to a table that describes the pages of memory.
  private func root() -> UInt? {
    let parts = reader.heapParts
    let gibibytes = Set(
      parts.flatMap { [$0.start >> Tree.gibibyteShift, ($0.end - 1) >> Tree.gibibyteShift] })
    var best: (root: UInt, count: Int)?
    var candidates: Set<UInt> = []
    for part in reader.parts([.variables])
    where (Tree.size...Tree.maxVariables).contains(part.end - part.start) {
      let words = reader.words(part.start, count: (part.end - part.start) / 8)
      for index in words.indices where words[index] != 0 && words[index] & 63 == 0 {
        guard reader.isInTime(), candidates.count < Tree.maxCandidates else { break }
        guard reader.isInHeap(words[index]) else { continue }
        let place = part.start + UInt(index) * 8
        for gibibyte in gibibytes where place - part.start >= gibibyte * 8 {
          let root = place - gibibyte * 8
          guard root + Tree.size <= (part.end | (page - 1)) + 1,
            candidates.insert(root).inserted
          else { continue }
          let count = agreeing(root)
          if count > best?.count ?? 0 { best = (root, count) }
        }
      }
    }
    return best?.root
  }

  /// Returns how many of some extents the words of a tree describe.
  private func agreeing(_ root: UInt) -> Int {
    let enough = 64
    var count = 0
    for part in reader.heapParts where count < enough {
      forEachPage(of: part, root) { place, description in
        guard count < enough, let run = run(description, around: place)?.run else { return nil }
        count += 1
        return run.range.upperBound
      }
    }
    return count
  }

  // MARK: Own memory

  /// A part of the memory for the data of jemalloc, `base_block_t`. Offsets are indices of words.
  private enum OwnPart {
    /// The alignment and the unit of the size, `HUGEPAGE`.
    static let unit: UInt = 2 << 20
    static let size = 0
    /// The description of the rest, which isn't in use.
    static let rest = 2
    static let words: UInt = 5
    /// The bits of a description with the number of the arena. Here, all of them are set.
    static let arenaBits: UInt = 0xFFF
  }

  /// Returns the memory with the data of jemalloc. Its lists still have the addresses of extents
  /// that were in use for something else.
  private func ownMemory() -> [Range<UInt>] {
    var found: [Range<UInt>] = []
    for range in reader.heapRanges {
      var start = (range.lowerBound + OwnPart.unit - 1) & ~(OwnPart.unit - 1)
      while start < range.upperBound, reader.isInTime() {
        let size = sizeOfOwnPart(at: start, until: range.upperBound)
        if size > 0 { found.append(start..<start + size) }
        start += max(size, OwnPart.unit)
      }
    }
    return found
  }

  /// Returns the size of a part that begins at an address, or 0 if it isn't one.
  private func sizeOfOwnPart(at start: UInt, until end: UInt) -> UInt {
    let words = reader.words(start, count: OwnPart.words)
    guard words.count == OwnPart.words else { return 0 }
    let (size, bits) = (words[OwnPart.size], words[OwnPart.rest])
    let address = words[OwnPart.rest + Description.address]
    guard size > 0, size & (OwnPart.unit - 1) == 0, size <= end - start,
      bits & OwnPart.arenaBits == OwnPart.arenaBits,
      bits >> Description.classShift & 0xFF == Description.classCount,
      start < address, address <= start + size,
      words[OwnPart.rest + Description.extent] == start + size - address
    else { return 0 }
    return size
  }

  // MARK: Caches

  /// Adds the blocks in the caches of threads. A cache still has the addresses of blocks in use.
  private func addCaches(to found: inout AllocatorBlocks) {
    for part in reader.parts([.stack, .heap, .variables]) {
      guard reader.isInTime(), let range = HeapBlocks.threadVariables(in: part) else { continue }
      let words = reader.words(range.lowerBound, count: UInt(range.count / 8))
      var (index, cache) = (0, heap_range())
      while case let count = heap_find_cache(words, &index, words.count, &cache), count > 0 {
        found.list.caches.append(cache.start)
        for bin in stride(from: index - count * Bin.words, to: index, by: Bin.words) {
          let first = words[bin]
          let size = (words[bin + Bin.bounds] >> 32 &- first) & 0xFFFF
          found.list.free += reader.words(first, count: size / 8)
        }
      }
    }
  }

  /// The list of a cache, whose first word leads to the first of the blocks. The lowest bits of the
  /// address after the last one are in another word. See `heap_find_cache`.
  private enum Bin {
    static let words = 3
    static let bounds = 2
  }
}
