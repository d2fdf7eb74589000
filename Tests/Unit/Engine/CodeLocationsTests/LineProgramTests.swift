#if os(Linux)
  import Testing

  @testable import CodeLocations

  @Suite("Line tables")
  struct LineProgramTests {
    private func rows(_ lines: [UInt8]) -> (rows: [String], files: [Int: String]) {
      lines.withUnsafeBytes { bytes in
        let sections = LineProgram.Sections(
          lines: bytes, lineText: { _ in "" }, text: { _ in "" }, isInTime: { true })
        guard var program = LineProgram(sections, at: 0) else { return ([], [:]) }
        var rows: [String] = []
        while program.advance(), rows.count < 100_000 {
          let row = program.row
          rows.append(
            program.isEnd ? "end \(row.address)" : "\(row.address) \(row.file):\(row.line)")
        }
        let files = program.files()
        let paths = (0..<10).compactMap { number in files[number].map { (number, $0) } }
        return (rows, Dictionary(uniqueKeysWithValues: paths))
      }
    }

    /// A version 4 table with one folder and one file.
    private var table: [UInt8] {
      var header: [UInt8] = [1, 1, 1, UInt8(bitPattern: -3), 12, 13]
      header += [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]
      header += Array("/App".utf8) + [0, 0] + Array("Run.swift".utf8) + [0, 1, 0, 0, 0]
      // Address 4096, line 11, a row; a special opcode that advances 2 bytes and 1 line; the end 3
      // bytes later.
      let program: [UInt8] =
        [0, 9, 2, 0, 16, 0, 0, 0, 0, 0, 0, 3, 10, 1, 13 + 2 * 12 + 4, 2, 3, 0, 1, 1]
      let body = [4, 0, UInt8(header.count), 0, 0, 0] + header + program
      return [UInt8(body.count), 0, 0, 0] + body
    }

    @Test("A line table is parsed into rows of addresses, files and lines")
    func program() {
      let (rows, files) = rows(table)
      #expect(rows == ["4096 1:11", "4098 1:12", "end 4101"])
      #expect(files == [1: "/App/Run.swift"])
    }

    /// Makes a version 5 table whose files all have the name at `offset` in `.debug_line_str`.
    private func table(files count: Int, at offset: Int) -> [UInt8] {
      func bytes(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
      func unsigned(_ number: Int) -> [UInt8] {
        number < 128 ? [UInt8(number)] : [UInt8(number & 0x7F | 0x80)] + unsigned(number >> 7)
      }
      var header: [UInt8] = [1, 1, 1, UInt8(bitPattern: -3), 12, 1]
      // One folder with an inline name, then files that each have a name in `.debug_line_str` and a
      // folder.
      header += [1, 1, 0x08, 1] + Array("/App".utf8) + [0]
      header += [2, 1, 0x1F, 2, 0x0B] + unsigned(count)
      for _ in 0..<count { header += bytes(offset, 4) + [0] }
      let body = bytes(5, 2) + [8, 0] + bytes(header.count, 4) + header
      return bytes(body.count, 4) + body
    }

    @Test("A line table only reads the names of requested files, up to its file limit")
    func manyFiles() {
      for (count, isKnown) in [(20_000, true), (70_000, false)] {
        table(files: count, at: 7).withUnsafeBytes { bytes in
          var asked: [Int] = []
          let sections = LineProgram.Sections(
            lines: bytes,
            lineText: {
              asked.append($0)
              return "Run.swift"
            }, text: { _ in "" }, isInTime: { true })
          let files = LineProgram(sections, at: 0)?.files()
          #expect(asked.isEmpty)
          #expect(files?[count - 1] == (isKnown ? "/App/Run.swift" : nil))
          #expect(files?[count] == nil)
          #expect(asked == (isKnown ? [7] : []))
        }
      }
    }

    @Test("Parsing a line table stops when time runs out", arguments: [1, 6])
    func late(instruction: UInt8) {
      var table = table
      table[0] = 0
      table[1] = 0
      table[2] = 2
      table += [UInt8](repeating: instruction, count: 131_072 + 60 - table.count)
      table.withUnsafeBytes { bytes in
        var looks = 0
        let sections = LineProgram.Sections(
          lines: bytes, lineText: { _ in "" }, text: { _ in "" },
          isInTime: {
            looks += 1
            return looks < 3
          })
        var rows = 0
        guard var program = LineProgram(sections, at: 0) else {
          Issue.record("The line program wasn't found.")
          return
        }
        while program.advance() { rows += 1 }
        #expect(rows < 20_000)
        #expect(looks == 3)
      }
    }

    @Test("A string in a section is read up to a length limit")
    func longTexts() {
      let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000) + [0, 65, 0]
      bytes.withUnsafeBytes { bytes in
        var cursor = ByteCursor(bytes)
        #expect(cursor.text().utf8.count == 4096)
        #expect(cursor.text() == "A")
        #expect(cursor.isAtEnd)
        #expect(cursor.text() == "")
      }
    }

    @Test("An ELF file's sections and symbols are read until time runs out")
    func elfFile() throws {
      #expect(ElfFile("/proc/self/exe", isInTime: { false }) == nil)
      var isInTime = true
      let file = try #require(ElfFile("/proc/self/exe", isInTime: { isInTime }))
      #expect(!file.contents(".dynsym").isEmpty)
      let (table, texts) = file.symbols
      #expect(table.count > 24)
      // The first symbol doesn't have a name, but the second does.
      let name = table.withUnsafeBytes { bytes in
        var cursor = ByteCursor(bytes, from: 24)
        return cursor.integer(4)
      }
      #expect(file.text(in: texts, at: 0) == "")
      #expect(file.text(in: texts, at: name).utf8.count < 4096)
      #expect(file.text(in: texts, at: -1) == "")
      #expect(file.text(in: texts, at: .max) == "")
      isInTime = false
      #expect(file.contents(".dynsym").isEmpty)
      #expect(file.symbols.table.isEmpty)
    }

    @Test("Parsing a damaged line table always terminates")
    func damaged() {
      var random = SystemRandomNumberGenerator()
      let table = table
      for length in table.indices { #expect(rows(Array(table[..<length])).rows.count <= 3) }
      for _ in 0..<2000 {
        var bytes = table
        for _ in 0..<3 {
          bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255)
        }
        #expect(rows(bytes).rows.count < 100_000)
      }
    }
  }
#endif
