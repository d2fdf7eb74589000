#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import ProcessInspection
  @testable import ProcessMemory

  @Suite("Core files")
  struct CoreFileTests {
    private static let text = "text of the library"

    /// Opens a core file, with the given library below a folder.
    private func open(
      _ sample: SampleCore, identifier: [UInt8]? = [1, 2, 3, 4], hasLibrary: Bool = true,
      count: Int = .max
    ) throws -> (core: CoreFile, map: MemoryMap, memory: ProcessMemory) {
      var sample = sample
      let library = TemporaryFile(
        bytes: SampleCore.library(identifier, text: Self.text))
      sample.libraryPath = hasLibrary ? library.path : library.path + ".missing"
      let file = TemporaryFile(bytes: Array(sample.bytes.prefix(count)))
      let core = try CoreFile(file.path)
      return (core, MemoryMap(core), try #require(ProcessMemory(core)))
    }

    @Test("The process, its threads and its memory are read from a core file")
    func content() throws {
      let (core, map, memory) = try open(SampleCore())
      #expect(core.notes.process == 4711)
      #expect(core.notes.parent == 1)
      #expect(core.notes.name == "sample")
      #expect(core.notes.command == "./sample --a")
      #expect(core.program == core.images.first?.path)
      #expect(!core.isTruncated && !core.lacksMemory)
      let thread = try #require(core.notes.threads.first)
      #expect(core.notes.threads.count == 1)
      #expect(thread.stackPointer == UInt(SampleCore.stack) + 256)
      #expect(thread.pc == UInt(SampleCore.library + SampleCore.page) + 8)
      #expect(map.parts.map(\.use) == [.heap, .other, .code, .heap])
      #expect(memory.word(UInt(SampleCore.heap)) == 0x0707_0707_0707_0707)
      #expect(memory.word(UInt(SampleCore.stack - SampleCore.page)) == nil)
      #expect(memory.word(UInt(SampleCore.heap + SampleCore.page)) == nil)
    }

    @Test("Bytes that the core file doesn't have come from the library")
    func missingBytes() throws {
      let (core, _, memory) = try open(SampleCore())
      #expect(core.images.map(\.problem) == [nil])
      let start = UInt(SampleCore.library + SampleCore.page)
      #expect(memory.text(start) == Self.text)
      // The parts that have content include those of the library.
      var parts: [Range<UInt>] = []
      PageTable(.core(core))?.forEachPart(of: start..<start + 4096, while: { true }) {
        parts.append($0)
      }
      #expect(parts == [start..<start + 4096])
    }

    @Test("A library that isn't the one of the process isn't read")
    func otherLibrary() throws {
      let start = UInt(SampleCore.library + SampleCore.page)
      var sample = SampleCore()
      func problem(_ identifier: [UInt8]?, hasLibrary: Bool = true) throws -> CoreFile.Problem? {
        let (core, _, memory) = try open(sample, identifier: identifier, hasLibrary: hasLibrary)
        let image = try #require(core.images.first)
        #expect((memory.word(start) == nil) == (image.problem != nil))
        return image.problem
      }
      #expect(try problem([1, 2, 3, 5]) == .different)
      #expect(try problem(nil) == .different)
      #expect(try problem([1, 2, 3, 4], hasLibrary: false) == .missing)
      // Without an identifier, the beginnings are compared.
      sample.identifier = nil
      #expect(try problem(nil) == nil)
      #expect(try problem([1]) == .different)
      sample.hasHeadOfLibrary = false
      #expect(try problem(nil) == .unknown)
    }

    @Test("A core file that was cut is truncated, wherever it was cut")
    func truncation() throws {
      let whole = SampleCore().bytes.count
      for count in stride(from: whole - 1, to: whole - 3 * 4096, by: -1000) {
        let (core, _, memory) = try open(SampleCore(), count: count)
        #expect(core.isTruncated)
        #expect(memory.word(UInt(SampleCore.stack) + 4088) == nil)
      }
      for count in [64, 100, 400, 1000] {
        #expect(throws: CoreFile.Failure.noNotes) { try open(SampleCore(), count: count) }
      }
      #expect(throws: CoreFile.Failure.notACore) { try open(SampleCore(), count: 12) }
    }

    @Test("A core file whose parts can't be where it says is damaged")
    func overlappingParts() throws {
      #expect(try !open(SampleCore()).core.isDamaged)
      let whole = SampleCore().bytes
      let (headers, count) = (Int(whole[32]), Int(whole[56]))
      func header(_ number: Int) -> Range<Int> {
        headers + number * 56..<headers + (number + 1) * 56
      }
      // The last program header becomes a copy of the one before, or gets the position of the
      // first one after the notes, or a free address before all others.
      var copied = whole
      copied.replaceSubrange(header(count - 1), with: whole[header(count - 2)])
      var moved = whole
      let position = (header(count - 1).lowerBound + 8, header(1).lowerBound + 8)
      moved.replaceSubrange(
        position.0..<position.0 + 8, with: whole[position.1..<position.1 + 8])
      var misplaced = whole
      let address = header(count - 1).lowerBound + 16
      misplaced.replaceSubrange(address..<address + 8, with: [0, 0x10, 0, 0, 0, 0, 0, 0])
      // The stack isn't where the thread has it, and a file begins in the middle of a part.
      var withoutStack = whole
      withoutStack.replaceSubrange(
        address..<address + 8, with: Self.bytes(SampleCore.stack + SampleCore.page))
      var early = whole
      let library = header(2).lowerBound
      early.replaceSubrange(
        library + 16..<library + 24, with: Self.bytes(SampleCore.library - SampleCore.page))
      early.replaceSubrange(library + 40..<library + 48, with: Self.bytes(2 * SampleCore.page))
      // A part of memory is no longer one.
      var without = whole
      without[header(2).lowerBound] = 0
      for bytes in [copied, moved, misplaced, withoutStack, early, without] {
        let file = TemporaryFile(bytes: bytes)
        #expect(try CoreFile(file.path).isDamaged)
      }
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    @Test("Holes in a core file aren't content, and no page is content twice")
    func holes() throws {
      let bytes = SampleCore().bytes
      let file = TemporaryFile(bytes: bytes)
      // Everything before the contents stays in place, and the contents become a hole.
      let contents = bytes.count - 3 * 4096
      #expect(truncate(file.path, contents) == 0)
      #expect(truncate(file.path, bytes.count) == 0)
      let core = try CoreFile(file.path)
      #expect(!core.isTruncated)
      var parts: [Range<UInt>] = []
      let stack = UInt(SampleCore.stack)
      core.forEachPart(of: stack..<stack + 4096, while: { true }) { parts.append($0) }
      #expect(parts.isEmpty)
      let heap = UInt(SampleCore.heap)
      core.forEachPart(of: heap..<heap + 4096, while: { true }) { parts.append($0) }
      #expect(parts == [heap..<heap + 4096])
    }

    @Test(
      "A core file without stacks or a part of the heap lacks memory of the process",
      arguments: [\SampleCore.hasStack, \SampleCore.hasHeap])
    func leftOut(part: any WritableKeyPath<SampleCore, Bool> & Sendable) throws {
      var sample = SampleCore()
      sample[keyPath: part] = false
      #expect(try open(sample).core.lacksMemory)
    }

    @Test("Memory that the process has protected is searched, and guard areas aren't")
    func protected() throws {
      for rights: UInt32 in [0, 2, 4] {
        var sample = SampleCore()
        sample.rightsToHeap = rights
        #expect(MemoryMap(try open(sample).core).part(of: UInt(SampleCore.heap)) != nil)
        sample.hasHeap = false
        #expect(MemoryMap(try open(sample).core).part(of: UInt(SampleCore.heap)) == nil)
      }
    }

    @Test("A library of the runtime whose file can't be read is noticed")
    func unreadableLibrary() throws {
      var sample = SampleCore()
      sample.libraryPath = "/nonexistent/libdispatch.so"
      let file = TemporaryFile(bytes: sample.bytes)
      let core = try CoreFile(file.path)
      let files = ProcessFiles(of: .core(core), MemoryMap(core))
      #expect(files.unreadableLibrary(isInTime: { true }) == sample.libraryPath)
      let own = ProcessFiles(of: .own, try #require(MemoryMap()))
      #expect(own.unreadableLibrary(isInTime: { true }) == nil)
    }

    @Test("Other files aren't core files")
    func otherFiles() throws {
      #expect(throws: CoreFile.Failure.notACore) { try CoreFile("/dev/null") }
      #expect(throws: CoreFile.Failure.notACore) { try CoreFile("/proc/self/exe") }
      #expect(throws: CoreFile.Failure.notACore) { try CoreFile("/") }
      #expect(throws: CoreFile.Failure.cannotOpen(2)) { try CoreFile("/nonexistent/core") }
      var bytes = SampleCore().bytes
      bytes[18] = 3
      let file = TemporaryFile(bytes: bytes)
      #expect(throws: CoreFile.Failure.otherArchitecture) { try CoreFile(file.path) }
    }

    #if arch(x86_64)
      @Test(
        "A thread waits in a system call if the call was interrupted",
        arguments: [
          (202, -512, true), (230, -516, true), (232, -4, true), (234, 0, false), (-1, 5, false),
        ])
      func calls(number: Int, result: Int, isWaiting: Bool) throws {
        var sample = SampleCore()
        sample.call = (number, result)
        let thread = try #require(try open(sample).core.notes.threads.first)
        let call = ThreadCall(thread)
        #expect((call != nil) == isWaiting)
        #expect(call?.number == (isWaiting ? number : nil))
        #expect(call?.arguments.first == (isWaiting ? 0xF00 : nil))
      }
    #endif

    @Test("A core file with huge sizes is read without a crash")
    func hugeSizes() throws {
      let sample = SampleCore().bytes
      for index in stride(from: 0, to: 1024, by: 8) {
        for size in [UInt64(1) << 63, .max] {
          var bytes = sample
          // The sizes of a part in the file and in memory are next to each other.
          for place in [index, index + 8] {
            withUnsafeBytes(of: size.littleEndian) {
              bytes.replaceSubrange(place..<place + 8, with: $0)
            }
          }
          let file = TemporaryFile(bytes: bytes)
          guard let core = try? CoreFile(file.path) else { continue }
          #expect(core.notes.threads.count <= 1)
        }
      }
    }

    @Test("A damaged core file is read without a crash")
    func damage() throws {
      let sample = SampleCore().bytes
      let interesting = sample.count - 3 * 4096
      for index in 0..<interesting {
        for value: UInt8 in [0, 0x7F, 0xFF] where sample[index] != value {
          var bytes = sample
          bytes[index] = value
          let file = TemporaryFile(bytes: bytes)
          guard let core = try? CoreFile(file.path), let memory = ProcessMemory(core) else {
            continue
          }
          let map = MemoryMap(core)
          for part in map.parts {
            _ = memory.word(part.start)
            _ = memory.word(part.end &- 8)
            var count = 0
            PageTable(.core(core))?.forEachPart(of: part.start..<part.end, while: { true }) { _ in
              count += 1
            }
            #expect(count <= 4)
          }
          for thread in core.notes.threads { _ = memory.word(thread.stackPointer & ~7) }
        }
      }
    }
  }
#endif
