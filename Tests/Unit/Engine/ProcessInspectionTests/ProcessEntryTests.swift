#if os(Linux)
  import ProcessMemory
  import SystemLibrary
  import TestSupport
  import Testing

  @testable import ProcessInspection

  @Suite("Entries of processes")
  struct ProcessEntryTests {
    @Test("The entry of this process has its parent and its command")
    func own() throws {
      let entry = try #require(ProcessEntry(getpid()))
      #expect(entry.parent == getppid())
      #expect(entry.command == CommandLine.arguments)
      #expect(!entry.isZombie && entry.start > 0)
    }

    @Test("A process that doesn't exist has no entry")
    func missing() { #expect(ProcessEntry(.max) == nil) }

    @Test("The name of a program can contain parentheses and spaces")
    func name() throws {
      let folder = TemporaryDirectory([
        "stat": "42 (a) R (b c)) S 7 1 1 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 9876 1 2\n"
      ])
      let stat = try #require(ProcessEntry.Stat(folder.path + "/stat"))
      #expect(stat.name == "a) R (b c)")
      #expect(stat.state == "S" && stat.parent == 7 && stat.start == 9876)
    }

    @Test(
      "A malformed entry is rejected", arguments: ["", "42", "42 (a", "42 (a) S", "42 (a) S x"])
    func malformed(text: String) {
      let folder = TemporaryDirectory(["stat": text])
      #expect(ProcessEntry.Stat(folder.path + "/stat") == nil)
    }

    @Test("A process that has started others has them among its descendants")
    func descendants() throws {
      try ChildProcess("/bin/sh", ["-c", "sh -c 'echo ready; read line < /dev/zero'; true"])
        .inspect(afterBytes: 6) { process in
          let found = ProcessEntry.descendants(of: process)
          #expect(found.map(\.parent) == [process])
          #expect(ProcessEntry.descendants(of: getpid()).contains { $0.process == process })
        }
    }

    @Test("A system call with its arguments, its stack pointer and its program counter is read")
    func systemCall() {
      let wait = ThreadCall("202 0x7f01 0x80 0x0 0x0 0x0 0x0 0x7ffd10 0x7f22\n")
      #expect(wait?.number == 202)
      #expect(wait?.arguments == [0x7f01, 0x80, 0, 0, 0, 0])
      #expect(wait?.stackPointer == 0x7ffd10 && wait?.pc == 0x7f22)
      #expect(ThreadCall("running\n") == nil)
      let outside = ThreadCall("-1 0x7ffd10 0x7f22")
      #expect(outside?.number == nil && outside?.pc == 0x7f22)
      #expect(ThreadCall("202 0x1") == nil)
      #expect(ThreadCall("") == nil)
    }
  }
#endif
