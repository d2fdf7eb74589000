#if os(Linux)
  import CRuntime.Heap
  import ProcessMemory
  import SystemLibrary
  import Testing

  @testable import HeapGraph

  @Suite("Memory of an allocator whose blocks aren't known")
  struct ForeignAllocatorTests {
    private func addressOfCurrentTask() -> UInt? {
      withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UInt.self) } }
    }

    /// Returns the size that is computed for the current task, and that of its block.
    private func sizes(_ result: some Any) async throws -> (computed: Int, block: Int) {
      let address = try #require(addressOfCurrentTask())
      let (map, memory) = (try #require(MemoryMap()), try #require(ProcessMemory.ofThisProcess))
      let sizes = TaskSizes(memory, map, isInTime: { true })
      let size = try #require(sizes.size(ofTaskAt: address))
      let usable = try #require(dlsym(nil, "malloc_usable_size"))
      typealias Usable = @convention(c) (UInt) -> Int
      return (Int(size), unsafeBitCast(usable, to: Usable.self)(address))
    }

    @Test("The size of a task is that of its block, whatever its result is")
    func taskSizes() async throws {
      func check<Result: Sendable>(_ result: Result) async throws {
        let task = Task {
          let sizes = try await sizes(result)
          return (sizes, result)
        }
        let (computed, block) = try await task.value.0
        // glibc rounds a size up to 16 bytes, and doesn't split a block to leave fewer than 32.
        #expect((block - 31...block).contains(computed), "\(Result.self)")
      }
      try await check(())
      try await check(7)
      try await check("text")
      try await check([1.5])
      try await check((1, 2, 3, 4, 5, 6, 7, 8))
    }

    /// Returns the words of a bin of jemalloc whose array has `size` bytes, all of them free.
    private func bin(at array: UInt, size: UInt, used: UInt = 0) -> [UInt] {
      let end = array + size
      return [end - used, 5, (array & 0xFFFF) | (array & 0xFFFF) << 16 | (end & 0xFFFF) << 32]
    }

    @Test("A cache of jemalloc is found between other words, and only with all of its bins")
    func caches() {
      func find(_ words: [UInt]) -> (Range<UInt>, Int)? {
        var (index, range) = (0, heap_range())
        guard heap_find_cache(words, &index, words.count, &range) > 0 else { return nil }
        return (range.start..<range.end, index)
      }
      // The arrays cross a boundary of 64 KiB, so the lowest bits begin again.
      let start: UInt = 0x7F12_3456_F008
      var (words, array): ([UInt], UInt) = ([], start)
      for number in 0..<20 as Range<UInt> {
        words += bin(at: array, size: 64 + number * 40, used: number * 8)
        array += 64 + number * 40
      }
      let found = find([1, 2, 3, 4] + words + [9, 9, 9])
      #expect(found?.0 == start..<array)
      #expect(found?.1 == 4 + words.count)
      #expect(find(Array(words.prefix(15 * 3))) == nil)
      var broken = words
      broken[10 * 3 + 2] += 8 << 16
      #expect(find(broken) == nil)
      #expect(find([UInt](repeating: 0, count: 300)) == nil)
      #expect(find([UInt](repeating: .max, count: 300)) == nil)
    }
  }
#endif
