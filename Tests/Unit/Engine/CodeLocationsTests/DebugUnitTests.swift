#if os(Linux)
  import TestSupport
  import Testing

  @testable import CodeLocations

  @Suite("Compiled units in debug information")
  struct DebugUnitTests {
    @Test(
      "Units are skipped only if their line programs have no rows at the wanted addresses",
      .enabled(if: !isSanitized, "a sanitizer makes the debug information too large"))
    func skipping() throws {
      let file = try #require(
        ElfFile(BuiltProgram.path(of: "TraceWriterHelper"), isInTime: { true }))
      var addresses: [UInt] = []
      file.symbols.table.withUnsafeBytes { table in
        SymbolTable(table).visit({ true }) { symbol in
          if symbol.isFunction, symbol.size > 0 { addresses.append(symbol.start + symbol.size / 2) }
        }
      }
      addresses.sort()
      let wanted = stride(from: 0, to: addresses.count, by: 97).map { addresses[$0] }
      let units = DebugUnits(file, isInTime: { true })
      var programs: [Range<Int>] = []
      var found = RowFinder(wanted)
      file.contents(".debug_line").withUnsafeBytes { lines in
        let sections = LineProgram.Sections(
          lines: lines, lineText: { _ in "" }, text: { _ in "" }, isInTime: { true })
        var position = 0
        while var program = LineProgram(sections, at: position) {
          programs.append(position..<program.next)
          found.beginUnit()
          while program.advance() { found.note(program.row, isEnd: program.isEnd, in: position) }
          position = program.next
        }
      }
      #expect(found.rows.count { $0 != nil } > 50)
      for (address, row) in zip(wanted, found.rows) {
        guard let row else { continue }
        #expect(units.canHaveCode(inUnitWith: row.unit) { $0.contains(address) })
      }
      // Most code is in other units.
      let first = try #require(zip(wanted, found.rows).first { $1 != nil }?.0)
      let read = programs.filter {
        units.canHaveCode(inUnitWith: $0.lowerBound) { $0.contains(first) }
      }
      func size(_ programs: [Range<Int>]) -> Int { programs.reduce(0) { $0 + $1.count } }
      #expect(size(read) < size(programs) / 10)
    }

    @Test("A unit that isn't in the debug information can have any code")
    func unknown() throws {
      let file = try #require(
        ElfFile(BuiltProgram.path(of: "TraceWriterHelper"), isInTime: { true }))
      // Without time, the units aren't read.
      let units = DebugUnits(file, isInTime: { false })
      #expect(units.start(ofUnitWith: 0) == nil)
      #expect(units.canHaveCode(inUnitWith: 0) { _ in false })
    }

    @Test("A list of ranges has a base address, and it ends with two zeros")
    func ranges() {
      func ranges(_ words: [UInt], base: UInt) -> (ranges: [Range<UInt>], isComplete: Bool) {
        var ranges: [Range<UInt>] = []
        let isComplete = words.withUnsafeBytes { bytes in
          DebugUnits.visitRanges(bytes, at: 0, base) { ranges.append($0) }
        }
        return (ranges, isComplete)
      }
      let whole = ranges([1, 3, .max, 100, 5, 6, 7, 7, 0, 0, 8, 9], base: 10)
      #expect(whole.ranges == [11..<13, 105..<106])
      #expect(whole.isComplete)
      let cut = ranges([1, 3, 5], base: 0)
      #expect(cut.ranges == [1..<3])
      #expect(!cut.isComplete)
      // An end that overflows isn't a range.
      #expect(ranges([1, UInt.max - 1, 0, 0], base: 3).ranges.isEmpty)
      #expect(!ranges([], base: 0).isComplete)
      // The linker `gold` leaves two zeros for an empty function that it removes.
      #expect(!ranges([0, 0, 8, 9, 0, 0], base: 0).isComplete)
      #expect(!ranges([0, 4, 0, 0, 8, 9, 0, 0], base: 0).isComplete)
      #expect(!ranges([.max, 100, 0, 0, 8, 9, 0, 0], base: 0).isComplete)
    }
  }
#endif
