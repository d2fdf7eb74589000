#if os(Linux)
  import HeapGraph
  import ProcessMemory
  import Testing

  @testable import LeakDetection

  @Suite("Blocks that another allocator describes")
  struct AllocatorBlocksTests {
    /// Memory of this process with the data of an allocator: variables and a heap.
    private final class FakeHeap {
      private static let size: UInt = 128 << 20
      private static let variablesSize: UInt = 4 << 20
      /// An address in the heap that is a multiple of 32 MiB.
      let segment: UInt
      let variables: UInt
      private let start: UnsafeMutableRawPointer

      init() throws {
        start = try #require(ProcessMemory.map(Int(Self.size)))
        variables = UInt(bitPattern: start)
        segment = (variables + (64 << 20)) & ~((32 << 20) - 1)
      }

      deinit { ProcessMemory.unmap(start, Int(Self.size)) }

      func set(_ address: UInt, _ value: UInt) {
        start.storeBytes(of: value, toByteOffset: Int(address - variables), as: UInt.self)
      }

      /// Makes a list of blocks of a size. Returns the address of the first one.
      func link(_ blocks: [UInt]) -> UInt {
        for (block, next) in zip(blocks, blocks.dropFirst() + [0]) { set(block, next) }
        return blocks.first ?? 0
      }

      func blocks() throws -> BlockList? {
        let (heap, end) = (variables + Self.variablesSize, variables + Self.size)
        let list = [(variables, heap, " /lib/libfake.so"), (heap, end, "")].map {
          "\(String($0, radix: 16))-\(String($1, radix: 16)) rw-p 00000000 00:00 0\($2)\n"
        }
        let memory = try #require(ProcessMemory.ofThisProcess)
        memory.forgetPages()
        let map = MemoryMap(list: Array(list.joined().utf8))
        return AllocatorBlocks.of(memory, map, isInTime: { true })
      }
    }

    // MARK: mimalloc

    private static let pages = 20 as UInt
    private static let capacity: UInt = 10
    private static let blockSize: UInt = 48

    private func page(_ heap: FakeHeap, _ number: UInt) -> UInt {
      heap.segment + number << 16 + 384
    }

    /// Writes a segment whose pages have two blocks of ten that aren't in use.
    private func writeSegment(_ heap: FakeHeap, used: (UInt) -> UInt = { _ in 8 }) {
      heap.set(heap.segment + 216, heap.segment ^ 0x1234_5678)
      heap.set(heap.segment + 232, 1)
      heap.set(heap.segment + 248, Self.pages + 1)
      for number in 1...Self.pages {
        let slice = heap.segment + 264 + number * 80
        let start = page(heap, number)
        heap.set(slice, 1)
        heap.set(slice + 8, Self.capacity << 16)
        heap.set(slice + 16, heap.link([start + 3 * Self.blockSize]))
        heap.set(slice + 24, used(number) | Self.blockSize << 32)
        heap.set(slice + 32, heap.link([start + 5 * Self.blockSize]))
      }
    }

    @Test(
      "A segment of mimalloc 2.1 or 2.2 has the blocks of its pages",
      arguments: [(216, 232, 248, 264), (224, 256, 272, 288)] as [(UInt, UInt, UInt, UInt)])
    func laterSegment(cookie: UInt, own: UInt, count: UInt, slices: UInt) throws {
      let heap = try FakeHeap()
      heap.set(heap.segment + cookie, heap.segment ^ 0x1234_5678)
      heap.set(heap.segment + own, 1)
      heap.set(heap.segment + count, Self.pages + 1)
      for number in 1...Self.pages {
        let slice = heap.segment + slices + number * 96
        let start = page(heap, number)
        heap.set(slice, 1)
        heap.set(slice + 8, Self.capacity << 16)
        heap.set(slice + 16, heap.link([start + 3 * Self.blockSize]))
        heap.set(slice + 24, heap.link([start + 5 * Self.blockSize]))
        heap.set(slice + 32, 8)
        heap.set(slice + 40, Self.blockSize)
        heap.set(slice + 48, start)
      }
      let found = try #require(try heap.blocks())
      #expect(found.runs.map(\.start) == (1...Self.pages).map { page(heap, $0) })
      #expect(found.runs.allSatisfy { $0.size == Self.blockSize && $0.count == 10 })
      #expect(found.free.count == 2 * Int(Self.pages))
    }

    @Test("A segment of mimalloc has the blocks of its pages")
    func segment() throws {
      let heap = try FakeHeap()
      writeSegment(heap)
      let found = try #require(try heap.blocks())
      #expect(found.runs.map(\.start) == (1...Self.pages).map { page(heap, $0) })
      #expect(found.runs.allSatisfy { $0.size == Self.blockSize && $0.count == 10 })
      let free = (1...Self.pages).flatMap { page in
        [3, 5].map { self.page(heap, page) + $0 * Self.blockSize }
      }
      #expect(Set(found.free) == Set(free))
    }

    @Test("Blocks that other threads have freed aren't in use", arguments: [8, 16] as [UInt])
    func blocksFreedByOthers(_ distance: UInt) throws {
      let heap = try FakeHeap()
      writeSegment(heap)
      let (owner, freed) = (heap.variables + 4096, page(heap, 7) + 8 * Self.blockSize)
      heap.set(heap.segment + 264 + 7 * 80 + 48, owner)
      heap.set(owner + 2808, 131_080)
      heap.set(owner + 2832, 131_080 + distance)
      heap.set(owner + 2840, heap.link([freed]))
      let found = try #require(try heap.blocks())
      #expect(found.free.contains(freed) == (distance == 8))
    }

    @Test("All blocks of a page with another number of free blocks are in use")
    func differingPage() throws {
      let heap = try FakeHeap()
      writeSegment(heap) { $0 == 7 ? 9 : 8 }
      // One of 20 would be too many.
      #expect(try heap.blocks() == nil)
      writeSegment(heap)
      heap.set(heap.segment + 264 + 7 * 80, 0)
      #expect(try heap.blocks() == nil)
    }

    @Test(
      "A list of free blocks that doesn't end, or leads between two blocks, isn't believed",
      arguments: [0, 8] as [UInt])
    func lists(_ distance: UInt) throws {
      let heap = try FakeHeap()
      writeSegment(heap)
      for number in 1...Self.pages {
        let block = page(heap, number) + 3 * Self.blockSize
        heap.set(block, block + distance)
      }
      #expect(try heap.blocks() == nil)
    }

    // MARK: tcmalloc

    private static let sizes: [UInt] = [0, 8, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160]

    /// Writes spans of blocks of 48 bytes, two of which aren't in use.
    private func writeSpans(_ heap: FakeHeap, used: UInt) {
      for index in stride(from: 0, to: Self.sizes.count, by: 2) {
        heap.set(
          heap.variables + 64 + UInt(index) * 4, Self.sizes[index] | Self.sizes[index + 1] << 32)
      }
      for number in 0..<10 as Range<UInt> {
        let (span, start) = (heap.variables + (8 << 20) + number * 48, heap.segment + number << 13)
        heap.set(span, start >> 13)
        heap.set(span + 8, 1)
        heap.set(span + 32, heap.link([start + 48, start + 96]))
        heap.set(span + 40, used | 4 << 16)
      }
      // The blocks that a thread has.
      for (number, size) in Self.sizes.enumerated() {
        let list = heap.variables + (9 << 20) + UInt(number) * 32
        heap.set(list, number == 4 ? heap.link([heap.segment + 480]) : 0)
        heap.set(list + 8, number == 4 ? 1 : 0)
        heap.set(list + 24, size)
      }
    }

    @Test("The spans of tcmalloc have blocks of the size of their class")
    func spans() throws {
      let heap = try FakeHeap()
      writeSpans(heap, used: 8192 / 48 - 2)
      let found = try #require(try heap.blocks())
      #expect(found.runs.map(\.start) == (0..<10).map { heap.segment + $0 << 13 })
      #expect(found.runs.allSatisfy { $0.size == 48 && $0.count == 8192 / 48 })
      #expect(found.free.count == 21)
      #expect(found.free.contains(heap.segment + 480))
      #expect(found.free.contains(heap.segment + 9 << 13 + 96))
    }

    @Test("Spans whose numbers of blocks differ aren't believed")
    func differingSpans() throws {
      let heap = try FakeHeap()
      writeSpans(heap, used: 8192 / 48 - 1)
      #expect(try heap.blocks() == nil)
    }

    // MARK: jemalloc

    private static let ownSize: UInt = 4 << 20

    private func extent(_ heap: FakeHeap, _ number: UInt) -> UInt {
      heap.segment + Self.ownSize + number * 3 << 12
    }

    private func description(_ heap: FakeHeap, _ number: UInt) -> UInt {
      heap.segment + 4096 + number * 128
    }

    /// Writes ten extents of 256 blocks of 48 bytes, two of which aren't in use. The data are in
    /// memory of jemalloc itself.
    private func writeExtents(_ heap: FakeHeap, rest: UInt = 1 << 20) {
      heap.set(heap.segment, Self.ownSize)
      heap.set(heap.segment + 16, 0xFFF | 232 << 20)
      heap.set(heap.segment + 24, heap.segment + Self.ownSize - (1 << 20))
      heap.set(heap.segment + 32, rest)
      let table = heap.segment + (64 << 10)
      heap.set(heap.variables + heap.segment >> 30 * 8, table)
      for number in 0..<10 as Range<UInt> {
        let (place, start) = (description(heap, number), extent(heap, number))
        heap.set(place, 1 << 12 | 3 << 20 | 2 << 28)
        heap.set(place + 8, start)
        heap.set(place + 16, 3 << 12)
        heap.set(place + 64, 1 << 3 | 1 << 5)
        heap.set(table + (start >> 12 & ((1 << 18) - 1)) * 8, place)
      }
    }

    @Test("The extents of jemalloc have blocks, and its own memory doesn't")
    func extents() throws {
      let heap = try FakeHeap()
      writeExtents(heap)
      let found = try #require(try heap.blocks())
      #expect(found.runs.first?.range == heap.segment..<heap.segment + Self.ownSize)
      #expect(found.runs.first?.count == 0)
      #expect(found.runs.dropFirst().map(\.start) == (0..<10).map { extent(heap, $0) })
      #expect(found.runs.dropFirst().allSatisfy { $0.size == 48 && $0.count == 256 })
      let free = (0..<10).flatMap { number in [3, 5].map { extent(heap, number) + $0 * 48 } }
      #expect(Set(found.free) == Set(free))
    }

    @Test("Memory that doesn't begin like jemalloc's own isn't left out")
    func otherMemory() throws {
      let heap = try FakeHeap()
      writeExtents(heap, rest: 4096)
      let found = try #require(try heap.blocks())
      #expect(
        found.runs.prefix(10).map(\.range.lowerBound) == (0..<10).map { description(heap, $0) })
    }

    @Test("jemalloc has four sizes up to each power of two")
    func sizes() {
      #expect(
        (0..<14).map { JemallocExtents.size(ofClass: $0) } == [
          8, 16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
        ])
      #expect(JemallocExtents.size(ofClass: 231) == 7 << 60)
    }

    // MARK: Runs

    @Test("A run is limited to memory, unless a block isn't in it")
    func clampedRuns() {
      let run = BlockRun(1000..<2000, start: 1100, size: 100, count: 4)
      #expect(run.isValid)
      #expect(run.clamped(to: 500..<1500)?.range == 1000..<1500)
      #expect(run.clamped(to: 500..<1499) == nil)
      #expect(run.clamped(to: 1200..<3000) == nil)
      #expect(BlockRun(unused: 1000..<2000).clamped(to: 0..<1100)?.range == 1000..<1100)
      #expect(!BlockRun(1000..<2000, start: 1100, size: 1 << 62, count: 8).isValid)
    }
  }
#endif
