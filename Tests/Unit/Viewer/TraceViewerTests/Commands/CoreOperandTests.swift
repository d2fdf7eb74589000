#if os(Linux)
  import TestSupport
  import Testing

  @testable import ViewerConsole

  @Suite("tasks and leaks with a core file")
  struct CoreOperandTests {
    /// Calls `body` with the path of a core file, whose library is there.
    private func withCore(
      cutTo count: Int = .max, identifier: [UInt8]? = [1, 2, 3, 4], _ body: (String) -> Void
    ) {
      let library = TemporaryFile(bytes: SampleCore.library(identifier, text: ""))
      var sample = SampleCore()
      sample.libraryPath = library.path
      let core = TemporaryFile(bytes: Array(sample.bytes.prefix(count)))
      withExtendedLifetime((library, core)) { body(core.path) }
    }

    @Test("The tasks and threads of a core file are shown, with what it can't have")
    func whole() {
      withCore { path in
        let result = run("tasks", "--full", path)
        #expect(result.code == .clean, "\(result.error)")
        #expect(result.out.contains("PROCESS 4711"))
        #expect(result.out.contains("thread 4711 'sample'"))
        #expect(result.error.contains("shows one moment"))
        #expect(run("tasks", "--watch", path).code == .usage)
        #expect(run("leaks", path).code == .cannotInspect)
      }
    }

    @Test("A core file that was cut is inconclusive", arguments: [200, 400, 3000, 9000])
    func truncated(count: Int) {
      withCore(cutTo: count) { path in
        for command in ["tasks", "leaks"] {
          let result = run(command, path)
          #expect(result.code == .inconclusive)
          #expect(result.error.contains("truncated"), "\(result.error)")
        }
      }
    }

    @Test("A core file whose library is another one is inconclusive, and the library is named")
    func otherLibrary() {
      withCore(identifier: [9]) { path in
        for command in ["tasks", "leaks"] {
          let result = run(command, path)
          #expect(result.code == .inconclusive)
          #expect(result.error.contains("not what the process had"), "\(result.error)")
          #expect(result.error.contains("--sysroot"))
        }
      }
    }

    @Test("The files of the process are looked for in a folder, with and without their folders")
    func sysroot() throws {
      let folder = TemporaryDirectory(["empty/file": ""])
      let library = TemporaryFile(bytes: SampleCore.library([1, 2, 3, 4], text: ""))
      let name = try #require(library.path.split(separator: "/").last)
      let root = library.path.dropLast(name.count)
      var sample = SampleCore()
      sample.libraryPath = "/container/root/lib/\(name)"
      let core = TemporaryFile(bytes: sample.bytes)
      let missing = run("tasks", "--sysroot", folder.path, core.path)
      #expect(missing.code == .inconclusive)
      #expect(missing.error.contains("missing"), "\(missing.error)")
      #expect(run("tasks", "--sysroot", String(root), core.path).code == .clean)
    }

    @Test("A file that isn't a core file is an error")
    func otherFiles() {
      #expect(run("tasks", "/dev/null").code == .cannotInspect)
      #expect(run("leaks", "/dev/null").error.contains("isn't a core file"))
      #expect(run("leaks", "/nonexistent/core").code == .cannotOpen)
      #expect(run("leaks", "4711x").code == .usage)
    }
  }
#endif
