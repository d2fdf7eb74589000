#if os(Linux)
  @testable import ProcessMemory
  import SystemLibrary
  import Testing

  @testable import HeapGraph

  /// Three pages. Only the middle one is readable.
  private final class Pages {
    static let size = Int(ProcessMemory.pageSize)
    private let start: UnsafeMutableRawPointer
    var middle: UnsafeMutableRawPointer { start + Self.size }
    var address: UInt { UInt(bitPattern: middle) }

    init() throws {
      start = try #require(ProcessMemory.map(3 * Self.size))
      mprotect(start, Self.size, PROT_NONE)
      mprotect(start + 2 * Self.size, Self.size, PROT_NONE)
      for offset in 0..<Self.size {
        middle.storeBytes(
          of: UInt8(truncatingIfNeeded: offset), toByteOffset: offset, as: UInt8.self)
      }
    }

    deinit { munmap(start, 3 * Self.size) }
  }

  extension ProcessMemory {
    /// Creates a reader that only uses the named method to read memory.
    fileprivate convenience init?(_ method: String) {
      switch method {
      case "file": self.init(methods: [ReadMethod.file])
      case "pipe": self.init(methods: [ReadMethod.pipe])
      default: self.init(methods: [{ .call }])
      }
    }
  }

  @Suite("Process memory")
  struct ProcessMemoryTests {
    private let pages: Pages

    init() throws { pages = try Pages() }

    @Test("Mapped memory is read, and unmapped memory is rejected", arguments: ["call", "pipe"])
    func mapped(way: String) throws {
      let memory = try #require(ProcessMemory(way))
      let page = ProcessMemory.pageSize
      #expect(memory.word(pages.address) == 0x0706_0504_0302_0100)
      #expect(memory.word(pages.address + page - 8) == 0xFFFE_FDFC_FBFA_F9F8)
      #expect(memory.half(pages.address + 4) == 0x0706_0504)
      for address in [
        0, 8, pages.address - 8, pages.address + page, UInt.max & ~7, 1 << 47, 1 << 63,
      ] {
        #expect(memory.word(address) == nil)
        #expect(memory.half(address) == nil)
        #expect(memory.text(address) == nil)
      }
      // Unaligned addresses are rejected.
      #expect(memory.word(pages.address + 4) == nil)
      #expect(memory.half(pages.address + 2) == nil)
    }

    @Test("Memory is copied up to the first unreadable page", arguments: ["call", "pipe"])
    func copies(way: String) throws {
      let memory = try #require(ProcessMemory(way))
      let size = Pages.size
      let target = UnsafeMutableRawPointer.allocate(byteCount: 3 * size, alignment: 16)
      defer { target.deallocate() }
      #expect(memory.copy(from: pages.address, to: target, count: 2 * size) == size)
      #expect(memcmp(target, pages.middle, size) == 0)
      #expect(memory.copy(from: pages.address + 100, to: target, count: 200) == 200)
      #expect(memcmp(target, pages.middle + 100, 200) == 0)
      #expect(memory.copy(from: pages.address - 8, to: target, count: 16) == 0)
      #expect(memory.copy(from: 0, to: target, count: 16) == 0)
      #expect(memory.copy(from: .max - 7, to: target, count: 16) == 0)
    }

    @Test(
      "A read across pages fails unless all of the memory is mapped", arguments: ["call", "pipe"])
    func acrossPages(way: String) throws {
      let memory = try #require(ProcessMemory(way))
      let size = Pages.size
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: 4 * size, alignment: size)
      defer { bytes.deallocate() }
      for offset in 0..<4 * size {
        bytes.storeBytes(
          of: UInt8(truncatingIfNeeded: offset / 7), toByteOffset: offset, as: UInt8.self)
      }
      let target = UnsafeMutableRawPointer.allocate(byteCount: 4 * size, alignment: 16)
      defer { target.deallocate() }
      for (offset, count) in [(0, 4 * size), (size - 1, 2), (5, 3 * size), (0, 0)] {
        let address = UInt(bitPattern: bytes) + UInt(offset)
        #expect(memory.read(address, into: target, count: count))
        #expect(memcmp(target, bytes + offset, count) == 0)
      }
      let end = pages.address + ProcessMemory.pageSize
      #expect(memory.read(end - 16, into: target, count: 16))
      #expect(!memory.read(end - 16, into: target, count: 17))
      #expect(!memory.read(pages.address - 1, into: target, count: 2))
      #expect(!memory.read(.max, into: target, count: 2))
    }

    @Test("Memory, including protected pages, is read through /proc/self/mem")
    func file() throws {
      let memory = try #require(ProcessMemory("file"))
      #expect(memory.word(pages.address) == 0x0706_0504_0302_0100)
      for address in [0, 8, UInt.max & ~7, 1 << 47, 1 << 63] as [UInt] {
        #expect(memory.word(address) == nil)
      }
      let size = Pages.size
      let target = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      defer { target.deallocate() }
      #expect(memory.copy(from: pages.address + 100, to: target, count: 200) == 200)
      #expect(memcmp(target, pages.middle + 100, 200) == 0)
      #expect(memory.copy(from: 0, to: target, count: 16) == 0)
      #expect(memory.copy(from: .max - 7, to: target, count: 16) == 0)
    }

    @Test("A string that is too long or reaches unreadable memory is rejected")
    func texts() throws {
      let memory = try #require(ProcessMemory())
      let end = Pages.size
      func store(_ text: String, at offset: Int) {
        for (index, byte) in text.utf8.enumerated() {
          pages.middle.storeBytes(of: byte, toByteOffset: offset + index, as: UInt8.self)
        }
      }
      store("Sample.Screen\0", at: 0)
      store("\0", at: 100)
      store("ends here\0", at: end - 10)
      store("never", at: end - 5)
      #expect(memory.text(pages.address) == "Sample.Screen")
      #expect(memory.text(pages.address, limit: 5) == nil)
      #expect(memory.text(pages.address + 100) == "")
      #expect(memory.text(pages.address + UInt(end) - 5) == nil)
    }

    @Test("A page that was read is cached, and many pages are read correctly")
    func pagesKept() throws {
      let memory = try #require(ProcessMemory())
      let first = memory.word(pages.address)
      pages.middle.storeBytes(of: 1, as: UInt.self)
      #expect(memory.word(pages.address) == first)
      // There are more pages than fit in the cache, and all of them are read correctly.
      let count = 5000
      let many = try #require(ProcessMemory.map(count * Pages.size))
      defer { munmap(many, count * Pages.size) }
      for number in 0..<count {
        many.storeBytes(of: number, toByteOffset: number * Pages.size, as: Int.self)
      }
      for number in (0..<count).reversed() {
        #expect(memory.word(UInt(bitPattern: many) + UInt(number * Pages.size)) == UInt(number))
      }
    }
  }
#endif
