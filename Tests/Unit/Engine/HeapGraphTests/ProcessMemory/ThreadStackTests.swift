#if os(Linux)
  import SystemLibrary
  import Testing

  @testable import ProcessMemory

  @Suite("Stacks of threads")
  struct ThreadStackTests {
    private static let page = Int(ProcessMemory.pageSize)
    private static let size = 16 * page

    /// Calls `body` with memory between two guard areas, like that of a stack.
    private func withStack(_ body: (UnsafeMutableRawPointer) throws -> Void) throws {
      let whole = try #require(
        mmap(
          nil, Self.size + 2 * Self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
          0))
      try #require(whole != MAP_FAILED)
      defer { munmap(whole, Self.size + 2 * Self.page) }
      let start = whole + Self.page
      mprotect(whole, Self.page, PROT_NONE)
      mprotect(start + Self.size, Self.page, PROT_NONE)
      try body(start)
    }

    /// Stores what glibc has at the end of a stack.
    private func describe(threadAt thread: UnsafeMutableRawPointer, number: UInt) {
      for offset in [0, 16] {
        thread.storeBytes(of: UInt(bitPattern: thread), toByteOffset: offset, as: UInt.self)
      }
      thread.storeBytes(of: UInt32(number), toByteOffset: 720, as: UInt32.self)
    }

    @Test("The stack of a thread that has ended is excluded, and that of another one isn't")
    func ended() throws {
      let memory = try #require(ProcessMemory())
      let own = try #require(ThreadNumbers.inside(process: .own).first)
      let cases: [(number: UInt, stack: MemoryMap.Use, end: MemoryMap.Use)] = [
        (0, .other, .heap), (own, .stack, .stack),
        // Nothing is known about other numbers.
        (UInt(Int32.max), .heap, .heap),
      ]
      for (number, stack, end) in cases {
        try withStack { start in
          let thread = start + Self.size - Self.page
          describe(threadAt: thread, number: number)
          var map = try #require(MemoryMap())
          memory.forgetPages()
          map.markThreads(at: [], memory)
          #expect(map.part(of: UInt(bitPattern: start))?.use == stack)
          #expect(map.part(of: UInt(bitPattern: thread))?.use == end)
        }
      }
    }

    @Test("Memory without the description of a thread isn't a stack")
    func withoutDescription() throws {
      let memory = try #require(ProcessMemory())
      try withStack { start in
        start.storeBytes(of: UInt(bitPattern: start), as: UInt.self)
        var map = try #require(MemoryMap())
        map.markThreads(at: [], memory)
        #expect(map.part(of: UInt(bitPattern: start))?.use == .heap)
      }
    }

    @Test("Nothing changes if a stack in use has the number of an unknown thread")
    func unknownLayout() throws {
      let memory = try #require(ProcessMemory())
      try withStack { start in
        describe(threadAt: start + Self.size - Self.page, number: 0)
        var map = try #require(MemoryMap())
        map.markThreads(at: [UInt(bitPattern: start + Self.page)], memory)
        #expect(map.part(of: UInt(bitPattern: start))?.use == .heap)
      }
    }
  }
#endif
