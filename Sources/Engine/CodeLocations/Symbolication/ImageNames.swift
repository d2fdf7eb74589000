import SystemLibrary

#if os(Linux)
  /// The names and lines of given addresses in the file of an image. One pass over the file's
  /// tables finds all of them.
  struct ImageNames {
    private struct Function {
      let start: UInt
      /// The offset of the function's name in the string section.
      let name: Int
    }

    /// The addresses of calls in the file, in ascending order.
    private let addresses: [UInt]
    private var functions: [Function?]
    private var rows: RowFinder
    /// The functions to find by the addresses where they begin.
    private var entries: FunctionEntries
    private let isInTime: () -> Bool

    /// Creates an empty set of names for calls and for functions that begin at the given addresses.
    /// Both are in ascending order.
    init(_ addresses: [UInt], entries: [UInt] = [], isInTime: @escaping () -> Bool) {
      self.addresses = addresses
      self.entries = FunctionEntries(entries)
      functions = Array(repeating: nil, count: addresses.count)
      rows = RowFinder(addresses)
      self.isInTime = isInTime
    }

    struct Found {
      var frames: [CodeFrame]
      var functions: [CodeFunction?]
      var calls: [CodeCall]
    }

    /// Returns a frame for each call, a function for each entry, and on request a description of
    /// each call.
    mutating func look(in file: ElfFile, describesCalls: Bool) -> Found {
      let names = findFunctions(in: file)
      // Without the functions, an outer frame would be mistaken for the innermost one.
      guard isInTime() else {
        return Found(
          frames: addresses.map { _ in .unknown }, functions: entries.addresses.map { _ in nil },
          calls: [])
      }
      return file.contents(".debug_line").withUnsafeBytes { lines in
        let sections = LineProgram.Sections(
          lines: lines, lineText: { file.text(in: ".debug_line_str", at: $0) },
          text: { file.text(in: ".debug_str", at: $0) }, isInTime: isInTime)
        let units = DebugUnits(file, isInTime: isInTime)
        findRows(sections, units)
        let inlined = InlinedCalls(file, units, addresses, isInTime: isInTime)
        return Found(
          frames: makeFrames(sections, names, inlined),
          functions: entries.functions(sections, in: file, units, isInTime: isInTime),
          calls: describesCalls ? makeCalls(sections, names, inlined) : [])
      }
    }

    /// Returns the name of the function of each call.
    private mutating func findFunctions(in file: ElfFile) -> [String?] {
      let (table, texts) = file.symbols
      table.withUnsafeBytes { table in
        findFunctions(table)
        entries.find(table, in: file, isInTime) {
          file.text(in: texts, at: $0)
        } texts: {
          file.contents(of: texts) ?? []
        }
      }
      return functions.map { $0.map { file.text(in: texts, at: $0.name) } }
    }

    /// Returns the index of the first address that is not below `limit`.
    private func index(from limit: UInt) -> Int { addresses.firstIndex(notBelow: limit) { $0 } }

    private mutating func findFunctions(_ table: UnsafeRawBufferPointer) {
      guard let first = addresses.first, let last = addresses.last else { return }
      SymbolTable(table).visit(isInTime) { symbol in
        guard symbol.isFunction, symbol.start <= last, symbol.end > first else { return }
        var index = index(from: symbol.start)
        while index < addresses.count, addresses[index] < symbol.end {
          functions[index] = Function(start: symbol.start, name: symbol.name)
          index += 1
        }
      }
    }

    private mutating func findRows(_ sections: LineProgram.Sections, _ units: DebugUnits) {
      var next = 0
      while isInTime(), var program = LineProgram(sections, at: next) {
        let position = next
        next = program.next
        // Most of a program is in units without a wanted address. In a debug build of the tests of
        // this package, finding the name of one place takes 0.09 s, and 0.43 s without this check.
        let isNeeded = units.canHaveCode(inUnitWith: position) {
          rows.needs($0) || entries.needs($0)
        }
        guard isNeeded else { continue }
        rows.beginUnit()
        entries.beginUnit()
        while program.advance() {
          rows.note(program.row, isEnd: program.isEnd, in: position)
          entries.note(program.row, isEnd: program.isEnd, in: position)
        }
      }
    }

    private func makeFrames(
      _ sections: LineProgram.Sections, _ names: [String?], _ inlined: InlinedCalls
    ) -> [CodeFrame] {
      let files = UnitFiles(sections)
      return addresses.indices.map { index in
        let row = rows.rows[index]
        let files = row.flatMap { files[$0.unit] }
        return CodeFrame(
          function: names[index],
          row: row.flatMap { row in files?[row.row.file].map { ($0, row.row.line) } },
          nearest: {
            guard let row, let files, let function = functions[index] else { return nil }
            for call in inlined.calls(at: addresses[index], in: row.unit) where call.line > 0 {
              guard let path = files[call.file], !CodeFrame.isOurs(path: path),
                !CodeFrame.isGenerated(path)
              else { continue }
              return (path, call.line)
            }
            return nearest(sections, row.unit, function.start...addresses[index], files)
          })
      }
    }

    private func makeCalls(
      _ sections: LineProgram.Sections, _ names: [String?], _ inlined: InlinedCalls
    ) -> [CodeCall] {
      let files = UnitFiles(sections)
      return addresses.indices.map { index in
        guard let row = rows.rows[index], let files = files[row.unit] else {
          return CodeCall(symbol: names[index])
        }
        // Code of the standard library that was inlined has lines that nobody can look up.
        let calls = inlined.calls(at: addresses[index], in: row.unit)
        if let place = InlinedCalls.places(row.row, calls, files).first {
          return CodeCall(
            symbol: names[index], inlined: place.symbol, path: place.path, line: place.line)
        }
        let found = functions[index].flatMap { function in
          nearest(
            sections, row.unit, function.start...addresses[index], files, CodeCall.isWritten)
        }
        return CodeCall(symbol: names[index], path: found?.path, line: found?.line ?? 0)
      }
    }

    /// Returns the last row in the range of addresses that is a line of user code.
    private func nearest(
      _ sections: LineProgram.Sections, _ unit: Int, _ range: ClosedRange<UInt>,
      _ files: LineProgram.Files,
      _ isOfUser: (String) -> Bool = { !CodeFrame.isOurs(path: $0) && !CodeFrame.isGenerated($0) }
    ) -> (path: String, line: Int)? {
      guard isInTime(), var program = LineProgram(sections, at: unit) else { return nil }
      var found: LineProgram.Row?
      while program.advance() {
        let row = program.row
        guard !program.isEnd, range.contains(row.address), row.line > 0,
          row.address >= found?.address ?? 0, let path = files[row.file],
          isOfUser(path)
        else { continue }
        found = row
      }
      return found.flatMap { row in files[row.file].map { ($0, row.line) } }
    }
  }

  /// The files of compiled units, which are read on first use.
  final class UnitFiles {
    private let sections: LineProgram.Sections
    private var units: [Int: LineProgram.Files] = [:]

    init(_ sections: LineProgram.Sections) { self.sections = sections }

    subscript(unit: Int) -> LineProgram.Files? {
      if units[unit] == nil { units[unit] = LineProgram(sections, at: unit)?.files() }
      return units[unit]
    }
  }
#endif
