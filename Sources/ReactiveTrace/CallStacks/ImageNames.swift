import TraceFormat

#if os(Linux)
  /// The names and lines of some addresses according to the file of an image. One pass over the
  /// tables of the file finds all of them.
  struct ImageNames {
    private struct Function {
      let start: UInt
      /// The offset of the function's name in the section of texts.
      let name: Int
    }

    private struct Row {
      /// The offset in the section of the line program for the compiled file.
      let unit: Int
      let row: LineProgram.Row
    }

    /// The addresses in ascending order, as counted in the file.
    private let addresses: [UInt]
    private var functions: [Function?]
    private var rows: [Row?]
    private let isInTime: () -> Bool

    init(_ addresses: [UInt], isInTime: @escaping () -> Bool) {
      self.addresses = addresses
      functions = Array(repeating: nil, count: addresses.count)
      rows = Array(repeating: nil, count: addresses.count)
      self.isInTime = isInTime
    }

    /// Returns a frame for each address.
    mutating func frames(in file: ElfFile) -> [CodeFrame] {
      let names = findFunctions(in: file)
      // Without the functions, an outer frame would pass for the innermost one.
      guard isInTime() else { return addresses.map { _ in .unknown } }
      return file.contents(".debug_line").withUnsafeBytes { lines in
        let sections = LineProgram.Sections(
          lines: lines, lineText: { file.text(in: ".debug_line_str", at: $0) },
          text: { file.text(in: ".debug_str", at: $0) }, isInTime: isInTime)
        findRows(sections)
        return makeFrames(sections, names)
      }
    }

    /// Returns the name of the function of each address.
    private mutating func findFunctions(in file: ElfFile) -> [String?] {
      let (table, texts) = file.symbols
      table.withUnsafeBytes { findFunctions($0) }
      return functions.map { $0.map { file.text(in: texts, at: $0.name) } }
    }

    /// Returns the index of the first address that is not below `limit`.
    private func index(from limit: UInt) -> Int {
      var (low, high) = (0, addresses.count)
      while low < high {
        let middle = (low + high) / 2
        if addresses[middle] < limit { low = middle + 1 } else { high = middle }
      }
      return low
    }

    private mutating func findFunctions(_ table: UnsafeRawBufferPointer) {
      let entrySize = 24
      let isFunction = { (info: UInt64) in info & 0xF == 2 }
      guard let first = addresses.first, let last = addresses.last else { return }
      for number in 0..<table.count / entrySize {
        if number % 1024 == 0, !isInTime() { return }
        var cursor = ByteCursor(table, from: number * entrySize)
        let name = cursor.integer(4)
        guard isFunction(cursor.number(1)) else { continue }
        cursor.skip(3)
        let start = UInt(truncatingIfNeeded: cursor.number(8))
        let end = start &+ UInt(truncatingIfNeeded: cursor.number(8))
        guard start <= last, end > first else { continue }
        var index = index(from: start)
        while index < addresses.count, addresses[index] < end {
          functions[index] = Function(start: start, name: name)
          index += 1
        }
      }
    }

    private mutating func findRows(_ sections: LineProgram.Sections) {
      var position = 0
      while isInTime(), var program = LineProgram(sections, at: position) {
        var last: LineProgram.Row?
        var index = 0
        while program.advance() {
          let row = program.row
          if let last {
            while index < addresses.count, addresses[index] < row.address {
              rows[index] = Row(unit: position, row: last)
              index += 1
            }
          } else {
            index = self.index(from: row.address)
          }
          last = program.isEnd ? nil : row
        }
        position = program.next
      }
    }

    private func makeFrames(_ sections: LineProgram.Sections, _ names: [String?]) -> [CodeFrame] {
      var units: [Int: LineProgram.Files] = [:]
      func files(of unit: Int) -> LineProgram.Files? {
        if units[unit] == nil { units[unit] = LineProgram(sections, at: unit)?.files() }
        return units[unit]
      }
      return addresses.indices.map { index in
        let row = rows[index]
        let files = row.flatMap { files(of: $0.unit) }
        return CodeFrame(
          function: names[index],
          row: row.flatMap { row in files?[row.row.file].map { ($0, row.row.line) } },
          nearest: {
            guard let row, let files, let function = functions[index] else { return nil }
            return nearest(sections, row.unit, function.start...addresses[index], files)
          })
      }
    }

    /// Returns the last row in the range of addresses that is a line of the user's code.
    private func nearest(
      _ sections: LineProgram.Sections, _ unit: Int, _ range: ClosedRange<UInt>,
      _ files: LineProgram.Files
    ) -> (path: String, line: Int)? {
      guard isInTime(), var program = LineProgram(sections, at: unit) else { return nil }
      var found: LineProgram.Row?
      while program.advance() {
        let row = program.row
        guard !program.isEnd, range.contains(row.address), row.line > 0,
          row.address >= found?.address ?? 0, let path = files[row.file],
          !CodeFrame.isOurs(path: path), !CodeFrame.isGenerated(path)
        else { continue }
        found = row
      }
      return found.flatMap { row in files[row.file].map { ($0, row.line) } }
    }
  }
#endif
