import ProcessMemory

/// The segments of mimalloc 2.0 (`include/mimalloc-types.h`), which begin at multiples of their
/// size. A segment consists of slices. Each page has some of them, and blocks of one size.
struct MimallocSegments {
  private static let segmentSize: UInt = 32 << 20
  private static let sliceSize: UInt = 64 << 10
  private static let maxSlices: UInt = 512
  /// The maximum number of slices that a segment's own data has.
  private static let maxOwnSlices: UInt = 16

  /// The offsets of `mi_segment_t`, in bytes.
  private enum Segment {
    static let cookie = 216
    static let ownSlices = 232
    static let sliceCount = 248
    static let slices = 264
    static let size = slices + Int(maxSlices) * Slice.size
  }

  /// The offsets of `mi_page_t`, in bytes.
  private enum Slice {
    static let count = 0
    static let capacity = 10
    static let free = 16
    static let used = 24
    static let blockSize = 28
    static let freedByOwner = 32
    static let freedByOthers = 40
    static let heap = 48
    static let size = 80
  }

  /// The offsets of `mi_heap_t`, in bytes. Its last queue is for pages without a free block. Each
  /// queue has the size of its blocks, and the last two have consecutive ones.
  private enum Heap {
    static let sizeOfLastButOne: UInt = 2808
    static let sizeOfLast: UInt = 2832
    static let freedByOthers: UInt = 2840
  }

  /// Smaller blocks begin after some unused memory (`_mi_segment_page_start_from_slice`).
  private static let smallBlocks: ClosedRange<UInt> = 8...1024
  private static let smallStart: UInt = 384
  private static let maxStatedSize: UInt = 2 << 30
  /// The lowest bits of the address of a block that another thread has freed.
  private static let flags: UInt = 3

  private let reader: AllocatorReader

  init(_ reader: AllocatorReader) { self.reader = reader }

  func blocks() -> AllocatorBlocks? {
    var found = AllocatorBlocks()
    var segments: [(address: UInt, bytes: [UInt8], key: UInt)] = []
    for part in reader.heapParts {
      let first = (part.start &+ Self.segmentSize &- 1) & ~(Self.segmentSize - 1)
      for address in stride(from: first, to: part.end, by: Int(Self.segmentSize)) {
        guard reader.isInTime() else { return nil }
        guard let bytes = bytes(address) else { continue }
        segments.append((address, bytes, bytes.word(Segment.cookie) ^ address))
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
    found.free += heaps.flatMap { freedByOthers(inHeapAt: $0) }
    return found
  }

  /// Returns the data of a segment, or nil if it isn't one.
  private func bytes(_ address: UInt) -> [UInt8]? {
    let slices = Segment.sliceCount
    guard let count = reader.memory.word(address &+ UInt(slices)), (1...Self.maxSlices) ~= count,
      let own = reader.memory.word(address &+ UInt(Segment.ownSlices)),
      (1...Self.maxOwnSlices) ~= own
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Segment.size)
    let copied = bytes.withUnsafeMutableBytes {
      $0.baseAddress.map { reader.memory.copy(from: address, to: $0, count: Segment.size) }
    }
    return copied == Segment.size ? bytes : nil
  }

  private func add(
    _ bytes: [UInt8], at address: UInt, to found: inout AllocatorBlocks, _ heaps: inout Set<UInt>
  ) {
    var index = bytes.word(Segment.ownSlices)
    let end = bytes.word(Segment.sliceCount)
    while index < end {
      let slice = Segment.slices + Int(index) * Slice.size
      let count = UInt(bytes.half(slice + Slice.count))
      guard count > 0 else { return found.noteOther() }
      let range = address + index * Self.sliceSize..<address + (index + count) * Self.sliceSize
      let size = UInt(bytes.half(slice + Slice.blockSize))
      if size == 0 {
        found.runs.append(BlockRun(unused: range))
      } else {
        // The size of a larger block isn't stated.
        let size = size < Self.maxStatedSize ? size : UInt(range.count)
        let start = range.lowerBound + (Self.smallBlocks ~= size ? Self.smallStart : 0)
        let capacity = Int(bytes.half(slice + Slice.capacity - 2) >> 16)
        let run = BlockRun(range, start: start, size: size, count: capacity)
        found.add(run, free: run.isValid ? free(bytes, slice, run) : nil)
        heaps.insert(bytes.word(slice + Slice.heap))
      }
      index += count
    }
  }

  /// Returns the blocks of a page that aren't in use, or nil if their number isn't the stated one.
  private func free(_ bytes: [UInt8], _ slice: Int, _ run: BlockRun) -> [UInt]? {
    let freedByOthers = bytes.word(slice + Slice.freedByOthers) & ~Self.flags
    guard let free = reader.list(from: bytes.word(slice + Slice.free), in: run),
      let freed = reader.list(from: bytes.word(slice + Slice.freedByOwner), in: run),
      let others = reader.list(from: freedByOthers, in: run),
      case let used = Int(bytes.half(slice + Slice.used)),
      used + free.count + freed.count == run.count, others.count <= used
    else { return nil }
    return free + freed + others
  }

  private static let maxFreedByOthers = 1 << 20

  /// Returns the blocks that other threads have freed in pages that had no free block before.
  private func freedByOthers(inHeapAt heap: UInt) -> [UInt] {
    guard let size = reader.memory.word(heap &+ Heap.sizeOfLastButOne), size > 0,
      reader.memory.word(heap &+ Heap.sizeOfLast) == size &+ 8,
      var next = reader.memory.word(heap &+ Heap.freedByOthers)
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
