#if os(Linux)
  import SystemLibrary
  import Testing

  @testable import ProcessMemory

  @Suite("Stacks of threads")
  struct ThreadStackTests {
    private static let page = Int(ProcessMemory.pageSize)
    private static let size = 16 * page

    /// Calls `body` with memory between two guard areas, like that of a stack. Around them is
    /// memory that can be read, because the kernel lists inaccessible areas next to each other as
    /// one.
    private func withStack(_ body: (UnsafeMutableRawPointer) throws -> Void) throws {
      let count = Self.size + 4 * Self.page
      let whole = try #require(
        mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
      try #require(whole != MAP_FAILED)
      defer { munmap(whole, count) }
      let start = whole + 2 * Self.page
      for guardArea in [start - Self.page, start + Self.size] {
        try #require(mprotect(guardArea, Self.page, PROT_NONE) == 0)
      }
      try body(start)
    }

    /// Stores what glibc has at the end of a stack.
    private func describe(
      threadAt thread: UnsafeMutableRawPointer, number: UInt, stack: Range<UInt> = 0..<0
    ) {
      func store(_ word: UInt, at offset: Int) {
        thread.storeBytes(of: word, toByteOffset: offset, as: UInt.self)
      }
      #if arch(arm64)
        let numberOffset = 208
        for offset in [216, 224] { store(UInt(bitPattern: thread) + 224, at: offset) }
      #else
        let numberOffset = 720
        for offset in [0, 16] { store(UInt(bitPattern: thread), at: offset) }
      #endif
      thread.storeBytes(of: UInt32(number), toByteOffset: numberOffset, as: UInt32.self)
      store(stack.lowerBound, at: 1680)
      store(UInt(stack.count), at: 1688)
      store(UInt(Self.page), at: 1696)
    }

    @Test("The stack of a thread that has ended is excluded, and that of another one isn't")
    func ended() throws {
      let memory = try #require(ProcessMemory())
      let own = try #require(ThreadNumbers.inside(process: .own).first)
      let cases: [(number: UInt, stack: MemoryMap.Use, end: MemoryMap.Use)] = [
        (0, .other, .heap), (UInt(UInt32.max), .other, .heap), (own, .stack, .stack),
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

    @Test("Stacks without listed guard areas are separated, also those of threads that have ended")
    func withoutListedGuards() throws {
      let memory = try #require(ProcessMemory())
      let own = try #require(ThreadNumbers.inside(process: .own).first)
      // Around the stacks is more than a guard area.
      let (margin, count) = (1 << 17, 4)
      let size = 2 * margin + count * Self.size
      let whole = try #require(
        mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
      try #require(whole != MAP_FAILED)
      defer { munmap(whole, size) }
      mprotect(whole + margin, count * Self.size, PROT_READ | PROT_WRITE)
      let start = UInt(bitPattern: whole + margin)
      let stacks = (0..<count).map { index in
        let start = start + UInt(index * Self.size)
        return start..<start + UInt(Self.size)
      }
      // The first one isn't a stack, and only the second one is that of a thread.
      for (stack, number) in zip(stacks.dropFirst(), [own, 0, 0]) {
        let thread = try #require(UnsafeMutableRawPointer(bitPattern: stack.upperBound - 4096))
        describe(threadAt: thread, number: number, stack: stack)
      }
      var map = try #require(MemoryMap())
      memory.forgetPages()
      let pointers = [stacks[1].upperBound - 8192]
      map.separateStacks(at: pointers, memory)
      map.markThreads(at: pointers, memory)
      let uses = stacks.map { map.part(of: $0.lowerBound)?.use }
      #expect(uses == [.heap, .stack, .other, .other])
      #expect(map.part(of: stacks[1].lowerBound)?.end == stacks[1].upperBound)
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
