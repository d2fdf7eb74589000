import HeapGraph
import ProcessMemory

/// The blocks of an allocator other than glibc's, read from its own data.
///
/// The layouts are those of certain versions. They count only if the numbers of used and of free
/// blocks agree nearly everywhere, which no other data do.
struct AllocatorBlocks {
  /// The minimum number of runs whose numbers agree, and how many of them one other may come with.
  /// A thread that runs, or was stopped, can be about to change a run.
  private static let minAgreeing = 8
  private static let agreeingForOther = 20

  var list = BlockList()
  private var agreeing = 0
  private var others = 0

  /// Adds a run, with its blocks that aren't in use, or nil if the numbers don't agree. Then all
  /// blocks count as used.
  mutating func add(_ run: BlockRun, free: [UInt]?) {
    guard run.isValid else {
      others += 1
      return
    }
    list.runs.append(run)
    guard let free else {
      others += 1
      return
    }
    agreeing += 1
    list.free += free
  }

  /// Notes data that doesn't describe a run.
  mutating func noteOther() { others += 1 }

  private var areBelieved: Bool {
    agreeing >= Self.minAgreeing && others * Self.agreeingForOther <= agreeing
  }

  /// Returns the blocks of the first allocator whose layout fits, or nil if none does.
  static func of(
    _ memory: ProcessMemory, _ map: MemoryMap, isInTime: @escaping () -> Bool
  ) -> BlockList? {
    let reader = AllocatorReader(memory: memory, map: map, isInTime: isInTime)
    let mimalloc = MimallocSegments.Layout.known.map { layout in
      { (reader: AllocatorReader) in MimallocSegments(reader, layout).blocks() }
    }
    let all: [(AllocatorReader) -> AllocatorBlocks?] =
      [{ JemallocExtents($0).blocks() }] + mimalloc + [{ TcmallocSpans($0).blocks() }]
    for read in all {
      guard var found = read(reader), found.areBelieved, isInTime() else { continue }
      if found.clampRuns(to: reader.heapRanges) { return found.list }
    }
    return nil
  }

  /// Sorts the runs, and limits them to memory, given in ascending order. Returns false if two of
  /// them overlap.
  private mutating func clampRuns(to memory: [Range<UInt>]) -> Bool {
    list.runs.sort { $0.range.lowerBound < $1.range.lowerBound }
    let areSeparate = zip(list.runs, list.runs.dropFirst()).allSatisfy {
      $0.range.upperBound <= $1.range.lowerBound
    }
    var clamped: [BlockRun] = []
    var first = 0
    for run in list.runs {
      while first < memory.count, memory[first].upperBound <= run.range.lowerBound { first += 1 }
      var index = first
      while index < memory.count, memory[index].lowerBound < run.range.upperBound {
        if let part = run.clamped(to: memory[index]) { clamped.append(part) }
        index += 1
      }
    }
    list.runs = clamped
    return areSeparate
  }
}

/// What the readers of allocators' data share.
struct AllocatorReader {
  let memory: ProcessMemory
  let map: MemoryMap
  let isInTime: () -> Bool
  private let pages: PageTable?

  init(memory: ProcessMemory, map: MemoryMap, isInTime: @escaping () -> Bool) {
    self.memory = memory
    self.map = map
    self.isInTime = isInTime
    pages = PageTable(memory.process)
  }

  /// The end of addresses in user space.
  private static let end: UInt = 1 << 48

  var heapParts: [MemoryMap.Part] { parts([.heap]) }

  func parts(_ uses: [MemoryMap.Use]) -> [MemoryMap.Part] {
    map.parts.filter { uses.contains($0.use) && $0.end <= Self.end }
  }

  /// The memory of allocators in ascending order, without the borders between parts.
  var heapRanges: [Range<UInt>] {
    var found: [Range<UInt>] = []
    for part in heapParts {
      if let last = found.last, last.upperBound == part.start {
        found[found.count - 1] = last.lowerBound..<part.end
      } else {
        found.append(part.start..<part.end)
      }
    }
    return found
  }

  func isInHeap(_ address: UInt) -> Bool { map.part(of: address)?.use == .heap }

  /// Returns the words from an address on, as far as they can be read.
  func words(_ address: UInt, count: UInt) -> [UInt] {
    [UInt](unsafeUninitializedCapacity: Int(count)) { buffer, found in
      guard let start = buffer.baseAddress else { return }
      found = max(0, memory.copy(from: address, to: start, count: Int(count) * 8)) / 8
    }
  }

  /// Returns the pieces of a part that have content.
  func pieces(of part: MemoryMap.Part) -> [Range<UInt>] {
    guard let pages else { return [part.start..<part.end] }
    var found: [Range<UInt>] = []
    pages.forEachPart(of: part.start..<part.end, while: isInTime) { found.append($0) }
    return found
  }

  /// Returns the number of four bytes at an index after an address.
  func half(_ address: UInt, at index: Int) -> Int32? {
    memory.half(address &+ UInt(index) * 4).map { Int32(bitPattern: $0) }
  }

  /// Returns the blocks of a run in a list. Each begins with the address of the next one. Returns
  /// nil if it isn't such a list.
  func list(from first: UInt, in run: BlockRun) -> [UInt]? {
    var found: [UInt] = []
    var next = first
    while next != 0 {
      guard found.count < run.count, run.hasBlock(at: next), let word = memory.word(next) else {
        return nil
      }
      found.append(next)
      next = word
    }
    return found
  }
}
