#if os(Linux)
  @testable import ProcessMemory
  import SystemLibrary
  import Testing

  @testable import HeapGraph

  /// Two pages of consecutive blocks with the headers of glibc's allocator.
  private final class Chunks {
    private static let bytes = 2 * Int(ProcessMemory.pageSize)
    private let start: UnsafeMutableRawPointer

    init() throws { start = try #require(ProcessMemory.map(Self.bytes)) }

    deinit { ProcessMemory.unmap(start, Self.bytes) }

    var part: MemoryMap.Part {
      MemoryMap.Part(
        start: UInt(bitPattern: start), end: UInt(bitPattern: start) + UInt(Self.bytes), use: .heap,
        isWritable: true, path: nil, isShared: false, isAnonymous: true)
    }

    /// Returns the addresses of the blocks if all have the given size.
    func blocks(of size: Int) -> [UInt] {
      stride(from: 0, to: Self.bytes, by: size).map { part.start + UInt($0) + 16 }
    }

    /// Divides the pages into blocks of the given size.
    func divide(by size: Int) {
      for offset in stride(from: 0, to: Self.bytes, by: 8) {
        let isHeader = offset % size == 8
        start.storeBytes(of: isHeader ? UInt(size) | 1 : 0, toByteOffset: offset, as: UInt.self)
      }
    }
  }

  @Suite("Allocator")
  struct AllocatorTests {
    @Test("The list of blocks is current even if their memory was read before it changed")
    func changed() throws {
      let chunks = try Chunks()
      let memory = try #require(ProcessMemory())
      let allocator = Allocator(memory)
      // Only the layout of glibc's allocator is known.
      guard allocator.isKnown else { return }
      chunks.divide(by: 128)
      _ = memory.word(chunks.part.end - ProcessMemory.pageSize)
      chunks.divide(by: 512)
      let list = allocator.blocks(in: [chunks.part]) { true }
      let expected = chunks.blocks(of: 512)
      let found = expected.map { block -> UInt? in
        guard case .block(let start) = list.block(around: block + 200) else { return nil }
        return start
      }
      #expect(found == expected)
    }
  }
#endif
