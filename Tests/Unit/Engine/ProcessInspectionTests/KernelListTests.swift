#if os(Linux)
  import SystemLibrary
  import Testing

  @testable import ProcessInspection

  @Suite("What the kernel says about files and sockets")
  struct KernelListTests {
    @Test("A process that waits for a lock of a file leads to the process that has it")
    func locks() {
      let text = """
        1: POSIX  ADVISORY  WRITE 811 08:01:17 0 EOF
        1: -> POSIX  ADVISORY  WRITE 900 08:01:17 0 EOF
        1: -> POSIX  ADVISORY  WRITE 901 08:01:17 0 EOF
        2: FLOCK  ADVISORY  WRITE 812 08:01:18 0 EOF
        3: OFDLCK ADVISORY  WRITE -1 08:01:19 0 EOF
        3: -> OFDLCK ADVISORY  WRITE 902 08:01:19 0 EOF

        """
      #expect(FileLocks.holder(waitedForBy: 901, in: text) == 811)
      #expect(FileLocks.holder(waitedForBy: 902, in: text) == nil)
      #expect(FileLocks.holder(waitedForBy: 812, in: text) == nil)
      #expect(FileLocks.holder(waitedForBy: 1, in: "") == nil)
    }

    @Test("The address of a socket is shown as people write it")
    func addresses() {
      func family(_ family: Int32) -> [UInt8] { [UInt8(family), 0] }
      #expect(
        SocketTable.address(family(AF_INET) + [0x1F, 0x90, 127, 0, 0, 1]) == "127.0.0.1:8080")
      #expect(
        SocketTable.address(family(AF_UNIX) + Array("/run/a".utf8) + [0, 1]) == "/run/a")
      let local = family(AF_INET6) + [0, 80, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 15) + [1]
      #expect(SocketTable.address(local) == "[0:0:0:0:0:0:0:1]:80")
      #expect(SocketTable.address([2, 0, 1]) == nil)
      #expect(SocketTable.address(family(AF_INET6) + [0, 80, 0, 0, 0, 0, 1]) == nil)
    }
  }
#endif
