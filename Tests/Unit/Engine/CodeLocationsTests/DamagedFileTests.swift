#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import CodeLocations

  /// Files whose numbers don't fit together. `Tests/Scripts/fuzz.sh image` looks for more of them.
  @Suite("Damaged files")
  struct DamagedFileTests {
    private func bytes(_ number: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private struct Section {
      var name: String
      var address = 0
      var flags = 2
      var bytes: [UInt8] = []
      var size: Int?
    }

    /// Opens a file with sections. The last one has their names.
    private func open(_ sections: [Section]) throws -> ElfFile {
      var texts: [UInt8] = [0]
      var headers = [UInt8](repeating: 0, count: 64)
      var contents: [UInt8] = []
      for section in sections + [Section(name: ".shstrtab")] {
        let name = texts.count
        texts += Array(section.name.utf8) + [0]
        let content = section.name == ".shstrtab" ? texts : section.bytes
        headers += bytes(name, 4) + bytes(1, 4) + bytes(section.flags, 8)
        headers += bytes(section.address, 8) + bytes(64 + contents.count, 8)
        headers += bytes(section.size ?? content.count, 8) + bytes(0, 24)
        contents += content
      }
      var file: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + bytes(0, 25)
      file += bytes(0, 8) + bytes(64 + contents.count, 8) + bytes(0, 6) + bytes(0, 4)
      file += bytes(64, 2) + bytes(sections.count + 2, 2) + bytes(sections.count + 1, 2)
      let folder = try TemporaryRoot.makeFolder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try Data(file + contents + headers).write(to: URL(fileURLWithPath: "\(folder)/file"))
      return try #require(ElfFile("\(folder)/file", isInTime: { true }))
    }

    @Test("A section can have any address and size", arguments: [Int.min, -1, 0x1000, .max])
    func addresses(of address: Int) throws {
      let file = try open([
        Section(name: ".text", address: address, bytes: [1, 2, 3, 4]),
        Section(name: ".data", address: address, size: Int.min),
      ])
      for wanted in [0, 0x1002, UInt(Int.max), .max] {
        _ = file.code(at: wanted, count: 2)
      }
      #expect(file.code(at: 0x1002, count: 9) == (address == 0x1000 ? [3, 4] : nil))
      #expect(file.contents(".text") == [1, 2, 3, 4])
      #expect(file.contents(".data") == [])
    }

    @Test("A named pipe at the path of a file isn't waited for")
    func pipe() throws {
      let folder = try TemporaryRoot.makeFolder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try #require(mkfifo("\(folder)/pipe", 0o600) == 0)
      #expect(ElfFile("\(folder)/pipe", isInTime: { true }) == nil)
    }

    @Test("The descriptors of a stripped file can be anywhere", arguments: [Int.min, 0x1000, .max])
    func descriptors(at address: Int) throws {
      let distances = [0, 4, -4, 0x7FFF_FFFC, -0x8000_0000].flatMap { bytes($0, 4) }
      // A type whose parent and function are far away.
      let type = bytes(17, 4) + bytes(0x7FFF_FFF0, 4) + bytes(-0x8000_0000, 4) + bytes(-8, 4)
      for constants in [Int.min, 0x1000, Int.max] {
        let file = try open([
          Section(name: "swift5_type_metadata", address: address, bytes: distances),
          Section(name: ".rodata", address: constants, bytes: type + type),
        ])
        #expect(CodeModules(file, isInTime: { true }).isOurs(0x1000) == nil)
      }
    }

    @Test("An instruction of a line table can't lead back")
    func lineTable() {
      // An extended instruction whose size is larger than any file.
      let size = [UInt8](repeating: 0xFF, count: 8) + [0x7F]
      let header: [UInt8] = [1, 1, 1, 0, 1, 1]
      let start = bytes(4, 2) + bytes(header.count, 4) + header
      let body = start + [1, 0] + size + [0]
      (bytes(body.count, 4) + body).withUnsafeBytes { bytes in
        let sections = LineProgram.Sections(
          lines: bytes, lineText: { _ in "" }, text: { _ in "" }, isInTime: { true })
        guard var program = LineProgram(sections, at: 0) else { return }
        var count = 0
        while count < 100, program.advance() { count += 1 }
        #expect(count == 1)
      }
    }

    @Test("A form of an entry with too many attributes is ignored")
    func attributes() {
      let attribute: [UInt8] = [0x3F, 0x19]
      for (count, isKnown) in [(256, true), (257, false)] {
        let attributes = [[UInt8]](repeating: attribute, count: count).joined()
        let table = [1, 0x2E, 0] + attributes + [0, 0, 0]
        table.withUnsafeBytes { table in
          #expect((DebugEntry.Form(table, at: 0, code: 1) != nil) == isKnown)
          #expect(DebugEntry.forms(table, at: 0).isEmpty == !isKnown)
        }
      }
    }

    @Test("A list of ranges ends when time runs out")
    func ranges() {
      let list = (0..<10_000).flatMap { _ in bytes(1, 8) + bytes(2, 8) }
      var count = 0
      let isComplete = list.withUnsafeBytes { list in
        DebugUnits.visitRanges(list, at: 0, 0, isInTime: { false }) { _ in count += 1 }
      }
      #expect(!isComplete)
      #expect(count == 4095)
    }

    /// A table with one function from 0x2000 to 0x2100, and the index of it.
    private func unwindTable(_ instructions: [UInt8]) throws -> UnwindTable? {
      let start = 0x1000
      let common = bytes(0, 4) + [1, 0x7A, 0x52, 0, 1, 0x78, 16, 1, 3] + [0xC, 7, 8, 0]
      let function = bytes(0, 0) + bytes(0x2000, 4) + bytes(0x100, 4) + [0] + instructions
      var frames = bytes(common.count, 4) + common
      let place = frames.count
      frames += bytes(function.count + 4, 4) + bytes(place + 4, 4) + function
      let index: [UInt8] = [1, 0x1B, 3, 0x3B] + bytes(0, 4) + bytes(1, 4)
      let header = 0x800
      let entry = bytes(0x2000 - header, 4) + bytes(start + place - header, 4)
      return UnwindTable(
        try open([
          Section(name: ".eh_frame", address: start, bytes: frames),
          Section(name: ".eh_frame_hdr", address: header, bytes: index + entry),
        ]))
    }

    @Test("Rules for the registers of a function are read, but not for any number of registers")
    func unwinding() throws {
      let table = try #require(try unwindTable([0xE, 16, 0x86, 2]))
      let row = try #require(table.row(at: 0x2010))
      #expect(row.frameAddress == .register(7, offset: 16))
      #expect(row.rules == [6: .saved(-16)])
      #expect(table.row(at: 0x2100) == nil)
      let many = (0..<300).flatMap { number -> [UInt8] in
        [5, UInt8(number & 0x7F | 0x80), UInt8(number >> 7), 1]
      }
      #expect(try #require(try unwindTable(many)).row(at: 0x2010) == nil)
    }
  }
#endif
