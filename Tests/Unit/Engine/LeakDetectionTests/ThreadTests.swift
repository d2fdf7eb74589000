#if os(Linux)
  import ProcessMemory
  import Testing

  @testable import LeakDetection

  @Suite("What a thread holds")
  struct ThreadTests {
    private let map = MemoryMap(
      list: Array(
        """
        10000-20000 r-xp 00000000 00:00 0 /lib/libc.so.6
        20000-30000 r-xp 00000000 00:00 0 /lib/libother.so

        """.utf8))

    @Test(
      "What is below the stack pointer isn't in use in a system call of the C library",
      arguments: [
        ("202 0x0 0x70000 0x10040", 0x70000 + MemoryMap.redZone),
        ("202 0x0 0x70000 0x20040", 0x70000),
        ("-1 0x70000 0x10040", 0x70000),
      ])
    func redZone(_ call: String, _ wanted: UInt) throws {
      let call = try #require(ThreadCall(call))
      let thread = LeakSearch.Thread(in: call).withoutRedZone(map)
      #expect(thread.stackPointer == wanted)
      #expect(thread.call == call)
    }

    @Test("A program that is linked statically has the C library")
    func staticProgram() throws {
      let map = MemoryMap(list: Array("20000-30000 r-xp 00000000 00:00 0 /bin/program\n".utf8))
      let call = try #require(ThreadCall("202 0x0 0x70000 0x20040"))
      let thread = LeakSearch.Thread(in: call).withoutRedZone(map)
      #expect(thread.stackPointer == 0x70000 + MemoryMap.redZone)
    }
  }
#endif
