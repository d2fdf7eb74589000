#if os(Linux)
  import SystemLibrary
  import Testing

  @testable import ProcessMemory

  @Suite("PageTable")
  struct PageTableTests {
    private static let page = ProcessMemory.pageSize

    /// The size of the mapping of a log, which is nearly empty.
    private static let size = UInt(64) << 30

    /// Maps memory, writes to some of its pages, and calls `body` with the start.
    private func withMapping(
      size: UInt, pages: [UInt], _ body: (UInt) throws -> Void
    ) throws {
      let base = try #require(
        mmap(
          nil, Int(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0))
      try #require(base != MAP_FAILED)
      defer { munmap(base, Int(size)) }
      // A huge page would have more content than was written.
      madvise(base, Int(size), MADV_NOHUGEPAGE)
      for page in pages {
        base.storeBytes(of: 1, toByteOffset: Int(page * Self.page), as: UInt8.self)
      }
      try body(UInt(bitPattern: base))
    }

    private func parts(
      of range: Range<UInt>, in table: PageTable, fromEntries: Bool = false,
      while isInTime: () -> Bool = { true }
    ) -> [Range<UInt>] {
      var parts: [Range<UInt>] = []
      func add(_ part: Range<UInt>) {
        // The request may return adjacent parts.
        if let last = parts.last, last.upperBound == part.lowerBound {
          parts[parts.count - 1] = last.lowerBound..<part.upperBound
        } else {
          parts.append(part)
        }
      }
      if fromEntries {
        table.readEntries(of: range, while: isInTime, add)
      } else {
        table.forEachPart(of: range, while: isInTime, add)
      }
      return parts
    }

    @Test("The parts of a nearly empty mapping are found without a look at each page")
    func sparse() throws {
      let last = Self.size / Self.page - 1
      try withMapping(size: Self.size, pages: [0, 1, 5, 100_000, last]) { start in
        let table = try #require(PageTable(.own))
        let found = parts(of: start..<start + Self.size, in: table)
        let expected = [0..<2, 5..<6, 100_000..<100_001, last..<last + 1].map {
          start + $0.lowerBound * Self.page..<start + $0.upperBound * Self.page
        }
        #expect(found == expected)
      }
    }

    @Test("Entries lead to the same parts as the request of the system, however many there are")
    func entries() throws {
      // More parts than a request returns, and more pages than are read at a time.
      let written = (0..<UInt(20_000)).filter { $0 % 3 != 1 }
      try withMapping(size: 20_000 * Self.page, pages: written) { start in
        let range = start..<start + 20_000 * Self.page
        let table = try #require(PageTable(.own))
        let found = parts(of: range, in: table)
        #expect(found.count == 6667)
        #expect(found == parts(of: range, in: table, fromEntries: true))
        let part = range.lowerBound + Self.page..<range.lowerBound + 4 * Self.page
        let expected = [part.lowerBound + Self.page..<part.upperBound]
        #expect(parts(of: part, in: table) == expected)
        #expect(parts(of: part, in: table, fromEntries: true) == expected)
      }
    }

    @Test("Without time, the rest of a mapping is left out")
    func outOfTime() throws {
      try withMapping(size: Self.size, pages: [0, 1, 16_000_000]) { start in
        let table = try #require(PageTable(.own))
        let range = start..<start + Self.size
        #expect(parts(of: range, in: table, while: { false }).isEmpty)
        var checks = 0
        let found = parts(of: range, in: table, fromEntries: true) {
          checks += 1
          return checks == 1
        }
        #expect(found == [start..<start + 2 * Self.page])
      }
    }
  }
#endif
