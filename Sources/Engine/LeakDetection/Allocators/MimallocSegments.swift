import HeapGraph
import ProcessMemory

/// The segments of mimalloc 2 (`include/mimalloc/types.h`), which begin at multiples of their size.
/// A segment consists of slices. Each page has some of them, and blocks of one size.
struct MimallocSegments {
  /// The offsets of a version's structures, in bytes.
  struct Layout {
    /// Those of `mi_segment_t`.
    let cookie: Int
    let ownSlices: Int
    let sliceCount: Int
    let slices: Int
    let page: Page
    let heap: Heap

    var size: Int { slices + Int(maxSlices) * page.size }

    /// Those of `mi_page_t`, which begins with its number of slices. Its capacity is a number of
    /// two bytes.
    struct Page {
      let capacity = 10
      let free = 16
      let used: Int
      let usedMask: UInt32
      let blockSize: Int
      let freedByOwner: Int
      let freedByOthers: Int
      let heap: Int
      /// The address of the first block, or nil if it depends on the size of the blocks.
      let start: Int?
      let size: Int
    }

    /// Those of `mi_heap_t`. Its last queue is for pages without a free block. Each queue has the
    /// size of its blocks, and the last two have consecutive ones.
    struct Heap {
      let sizeOfLast: UInt
      let freedByOthers: UInt

      var sizeOfLastButOne: UInt { sizeOfLast - 24 }
    }

    /// The layouts of 2.0.9, 2.1.7 and 2.2.4.
    static let known = [
      Layout(
        cookie: 216, ownSlices: 232, sliceCount: 248, slices: 264,
        page: Page(
          used: 24, usedMask: .max, blockSize: 28, freedByOwner: 32, freedByOthers: 40, heap: 48,
          start: nil, size: 80),
        heap: Heap(sizeOfLast: 2832, freedByOthers: 2840)),
      Layout(
        cookie: 216, ownSlices: 232, sliceCount: 248, slices: 264, page: laterPage,
        heap: Heap(sizeOfLast: 3056, freedByOthers: 8)),
      Layout(
        cookie: 224, ownSlices: 256, sliceCount: 272, slices: 288, page: laterPage,
        heap: Heap(sizeOfLast: 3072, freedByOthers: 8)),
    ]

    private static let laterPage = Page(
      used: 32, usedMask: 0xFFFF, blockSize: 40, freedByOwner: 24, freedByOthers: 56, heap: 64,
      start: 48, size: 96)
  }

  private static let segmentSize: UInt = 32 << 20
  private static let sliceSize: UInt = 64 << 10
  private static let maxSlices: UInt = 512
  /// The maximum number of slices that a segment's own data has.
  private static let maxOwnSlices: UInt = 16
  /// In 2.0, smaller blocks begin after some unused memory (`_mi_segment_page_start_from_slice`).
  private static let smallBlocks: ClosedRange<UInt> = 8...1024
  private static let smallStart: UInt = 384
  private static let maxStatedSize: UInt = 2 << 30
  /// The lowest bits of the address of a block that another thread has freed.
  private static let flags: UInt = 3

  private let reader: AllocatorReader

  private let layout: Layout

  init(_ reader: AllocatorReader, _ layout: Layout) {
    self.reader = reader
    self.layout = layout
  }

  func blocks() -> AllocatorBlocks? {
    var found = AllocatorBlocks()
    var segments: [(address: UInt, bytes: [UInt8], key: UInt)] = []
    for part in reader.heapParts {
      let first = (part.start &+ Self.segmentSize &- 1) & ~(Self.segmentSize - 1)
      for address in stride(from: first, to: part.end, by: Int(Self.segmentSize)) {
        guard reader.isInTime() else { return nil }
        guard let bytes = bytes(address) else { continue }
        segments.append((address, bytes, bytes.word(layout.cookie) ^ address))
      }
    }
    // All segments have a key of the process with their address.
    let keys = Dictionary(grouping: segments, by: \.key).mapValues(\.count)
    let key = keys.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    var heaps: Set<UInt> = []
    for segment in segments where segment.key == key {
      guard reader.isInTime() else { return nil }
      add(segment.bytes, at: segment.address, to: &found, &heaps)
    }
    found.list.free += heaps.flatMap { freedByOthers(inHeapAt: $0) }
    return found
  }

  /// Returns the data of a segment, or nil if it isn't one.
  private func bytes(_ address: UInt) -> [UInt8]? {
    guard let count = reader.memory.word(address &+ UInt(layout.sliceCount)),
      (1...Self.maxSlices) ~= count,
      let own = reader.memory.word(address &+ UInt(layout.ownSlices)),
      (1...Self.maxOwnSlices) ~= own
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: layout.size)
    let copied = bytes.withUnsafeMutableBytes {
      $0.baseAddress.map { reader.memory.copy(from: address, to: $0, count: layout.size) }
    }
    return copied == layout.size ? bytes : nil
  }

  private func add(
    _ bytes: [UInt8], at address: UInt, to found: inout AllocatorBlocks, _ heaps: inout Set<UInt>
  ) {
    let page = layout.page
    var index = bytes.word(layout.ownSlices)
    let end = bytes.word(layout.sliceCount)
    while index < end {
      let slice = layout.slices + Int(index) * page.size
      let count = UInt(bytes.half(slice))
      guard count > 0 else { return found.noteOther() }
      let range = address + index * Self.sliceSize..<address + (index + count) * Self.sliceSize
      // The words after a size of four bytes are those of a list.
      let size =
        page.start == nil
        ? UInt(bytes.half(slice + page.blockSize)) : bytes.word(slice + page.blockSize)
      if size == 0 || page.start.map({ bytes.word(slice + $0) }) == 0 {
        found.list.runs.append(BlockRun(unused: range))
      } else {
        // In 2.0, the size of a larger block isn't stated.
        let size = page.start != nil || size < Self.maxStatedSize ? size : UInt(range.count)
        let start =
          page.start.map { bytes.word(slice + $0) }
          ?? range.lowerBound + (Self.smallBlocks ~= size ? Self.smallStart : 0)
        let capacity = Int(bytes.half(slice + page.capacity - 2) >> 16)
        let run = BlockRun(range, start: start, size: size, count: capacity)
        found.add(run, free: run.isValid ? free(bytes, slice, run) : nil)
        heaps.insert(bytes.word(slice + page.heap))
      }
      index += count
    }
  }

  /// Returns the blocks of a page that aren't in use, or nil if their number isn't the stated one.
  private func free(_ bytes: [UInt8], _ slice: Int, _ run: BlockRun) -> [UInt]? {
    let freedByOthers = bytes.word(slice + layout.page.freedByOthers) & ~Self.flags
    guard let free = reader.list(from: bytes.word(slice + layout.page.free), in: run),
      let freed = reader.list(from: bytes.word(slice + layout.page.freedByOwner), in: run),
      let others = reader.list(from: freedByOthers, in: run),
      case let used = Int(bytes.half(slice + layout.page.used) & layout.page.usedMask),
      used + free.count + freed.count == run.count, others.count <= used
    else { return nil }
    return free + freed + others
  }

  private static let maxFreedByOthers = 1 << 20

  /// Returns the blocks that other threads have freed in pages that had no free block before.
  private func freedByOthers(inHeapAt heap: UInt) -> [UInt] {
    guard let size = reader.memory.word(heap &+ layout.heap.sizeOfLastButOne), size > 0,
      reader.memory.word(heap &+ layout.heap.sizeOfLast) == size &+ 8,
      var next = reader.memory.word(heap &+ layout.heap.freedByOthers)
    else { return [] }
    var found: [UInt] = []
    while next != 0 {
      guard found.count < Self.maxFreedByOthers, reader.isInHeap(next),
        let word = reader.memory.word(next)
      else { return [] }
      found.append(next)
      next = word
    }
    return found
  }
}

extension [UInt8] {
  fileprivate func word(_ offset: Int) -> UInt {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt.self) }
  }

  fileprivate func half(_ offset: Int) -> UInt32 {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
  }
}
