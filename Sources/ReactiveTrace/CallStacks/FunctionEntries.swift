import SystemLibrary
import TraceFormat

#if os(Linux)
  /// The functions that begin at some addresses, such as the code of closures.
  ///
  /// A closure that captures values begins with a function that the compiler made, which has no
  /// line. The function with the closure's own code has the same name without an ending.
  struct FunctionEntries {
    /// The addresses in ascending order, as counted in the file.
    let addresses: [UInt]
    private var names: [String?]
    /// The number of the range with the code of each address.
    private var ranges: [Int?]
    private var code: [Code] = []

    private struct Code {
      let start: UInt
      let end: UInt
      /// The offset of the line program with the code. All of a function that was inlined into the one
      /// that passes captured values on may have no line.
      var unit: Int?
      /// The first rows of the code that have a line.
      var rows: [(unit: Int, row: LineProgram.Row)] = []
    }

    /// The maximum number of rows to look at. The first ones of a function may come from functions
    /// of others that the compiler inlined.
    private static let mostRows = 64

    init(_ addresses: [UInt]) {
      self.addresses = addresses
      names = Array(repeating: nil, count: addresses.count)
      ranges = Array(repeating: nil, count: addresses.count)
    }

    /// Finds the names and the ranges of the functions in a table of symbols. `text` returns the
    /// text at an offset, and `texts` the whole section.
    mutating func find(
      _ table: UnsafeRawBufferPointer, _ isInTime: () -> Bool, text: (Int) -> String,
      texts: () -> [UInt8]
    ) {
      guard let first = addresses.first, let last = addresses.last else { return }
      var found = [SymbolTable.Symbol?](repeating: nil, count: addresses.count)
      SymbolTable(table).visit(isInTime) { symbol in
        guard symbol.start <= last, max(symbol.end, symbol.start &+ 1) > first else { return }
        var index = addresses.firstIndex(notBelow: symbol.start) { $0 }
        while index < addresses.count,
          addresses[index] == symbol.start || addresses[index] < symbol.end
        {
          // The exact beginning of a function counts more than a range around it.
          if found[index]?.start != addresses[index] || symbol.isFunction { found[index] = symbol }
          index += 1
        }
      }
      var wanted: [[UInt8]: [Int]] = [:]
      for (index, symbol) in found.enumerated() {
        guard let symbol else { continue }
        let name = text(symbol.name)
        let own = Self.ownName(name)
        names[index] = own
        if own != name { wanted[Array(own.utf8), default: []].append(index) }
      }
      let bodies = Self.bodies(wanted, table, isInTime, texts)
      var known: [UInt: Int] = [:]
      for (index, symbol) in found.enumerated() {
        guard let symbol = bodies[index] ?? symbol, symbol.isFunction else { continue }
        if let range = known[symbol.start] {
          ranges[index] = range
        } else {
          (known[symbol.start], ranges[index]) = (code.count, code.count)
          code.append(Code(start: symbol.start, end: symbol.end))
        }
      }
      // Rows are looked up by address.
      let order = code.indices.sorted { code[$0].start < code[$1].start }
      var places = [Int](repeating: 0, count: code.count)
      for (new, old) in order.enumerated() { places[old] = new }
      code = order.map { code[$0] }
      ranges = ranges.map { $0.map { places[$0] } }
    }

    /// Returns the symbols with the wanted names, by the indices that want them.
    private static func bodies(
      _ wanted: [[UInt8]: [Int]], _ table: UnsafeRawBufferPointer, _ isInTime: () -> Bool,
      _ texts: () -> [UInt8]
    ) -> [Int: SymbolTable.Symbol] {
      guard !wanted.isEmpty, isInTime() else { return [:] }
      let lengths = Set(wanted.keys.map(\.count))
      var bodies: [Int: SymbolTable.Symbol] = [:]
      texts().withUnsafeBytes { texts in
        guard let base = texts.baseAddress else { return }
        SymbolTable(table).visit(isInTime) { symbol in
          guard symbol.isFunction, symbol.name >= 0, symbol.name < texts.count else { return }
          let start = base + symbol.name
          let length = strnlen(
            start.assumingMemoryBound(to: CChar.self), texts.count - symbol.name)
          guard lengths.contains(length) else { return }
          let name = Array(UnsafeRawBufferPointer(start: start, count: length))
          for index in wanted[name] ?? [] { bodies[index] = symbol }
        }
      }
      return bodies
    }

    /// Returns the name of the function that a function made by the compiler stands for, or the
    /// name itself.
    static func ownName(_ name: String) -> String {
      guard name.hasPrefix("$s") else { return name }
      var own = name.prefix { $0 != "." }
      // `Tu` is what an asynchronous function is called through, `TA` passes captured values on,
      // and `Tm` is shared by several equal functions.
      var isShorter = true
      while isShorter {
        isShorter = false
        for ending in ["Tu", "TA", "Tm"] where own.hasSuffix(ending) {
          own = own.dropLast(2)
          isShorter = true
        }
      }
      return String(own)
    }

    /// Notes a row that may be the first line of a function.
    @inline(__always)
    mutating func note(_ row: LineProgram.Row, in unit: Int) {
      guard let first = code.first, row.address >= first.start else { return }
      noteSlowPath(row, in: unit)
    }

    private mutating func noteSlowPath(_ row: LineProgram.Row, in unit: Int) {
      let next = code.firstIndex(notBelow: row.address &+ 1) { $0.start }
      guard next > 0, row.address < code[next - 1].end else { return }
      if code[next - 1].unit == nil { code[next - 1].unit = unit }
      guard row.line > 0, code[next - 1].rows.count < Self.mostRows else { return }
      code[next - 1].rows.append((unit, row))
    }

    /// Returns the function of each address, or nil if the file has no name for it.
    func functions(
      _ sections: LineProgram.Sections, in file: ElfFile, isInTime: @escaping () -> Bool
    ) -> [CodeFunction?] {
      let files = UnitFiles(sections)
      let descriptions = FunctionDescriptions(
        file, Set(code.map(\.start)), isInTime: isInTime)
      return addresses.indices.map { index in
        guard let name = names[index], !name.isEmpty else { return nil }
        let rows = (ranges[index].map { code[$0].rows } ?? []).lazy
          .sorted { $0.row.address < $1.row.address }
          .compactMap { row in
            files[row.unit]?[row.row.file].map {
              (path: $0, line: row.row.line, column: row.row.column)
            }
          }
          .filter { !CodeFrame.isGenerated($0.path) }
        let isOurs = CodeFrame.isOurs(function: name)
        let row = isOurs ? rows.first : rows.first { !CodeFrame.isOurs(path: $0.path) }
        let isThunk = row == nil && CodeFrame.isThunk(name)
        let isOfSystem = row == nil && CodeFrame.isOfSystem(function: name)
        let description = ranges[index].flatMap { range in
          code[range].unit.flatMap {
            descriptions.description(at: code[range].start, in: $0)
          }
        }
        let declared = Self.isRest(name) ? nil : declared(description, index, files)
        let place = declared ?? row.map { ($0.path, $0.line) }
        // The debug information has no column for the beginning of a function, but for its code.
        let column = row.flatMap { row in
          place.flatMap { $0 == (row.path, row.line) ? row.column : nil }
        }
        return CodeFunction(
          location: CodeFrame.location(name, place, column: column ?? 0),
          origin: isThunk
            ? .thunk : isOurs || isOfSystem || isOnlyOurs(rows) ? .package : .user,
          parameters: description?.parameters ?? [])
      }
    }

    /// Reports whether a function is the rest of an asynchronous one, which begins where that one
    /// awaited. Its name ends in `TQ` or `TY`, a number and `_`.
    private static func isRest(_ name: String) -> Bool {
      guard name.hasSuffix("_") else { return false }
      let ending = name.dropLast().reversed().drop { $0.isNumber }.prefix(2)
      return ending.elementsEqual("QT") || ending.elementsEqual("YT")
    }

    /// Returns the line where a function begins. The first line of its code may be one of a function
    /// that was inlined there.
    private func declared(
      _ description: FunctionDescriptions.Description?, _ index: Int, _ files: UnitFiles
    ) -> (path: String, line: Int)? {
      guard let place = description?.place, place.line > 0,
        let unit = ranges[index].flatMap({ code[$0].unit }),
        let path = files[unit]?[place.file], !CodeFrame.isGenerated(path)
      else { return nil }
      return (path, place.line)
    }

    /// Reports whether all lines of a function are in this package.
    private func isOnlyOurs(_ rows: [(path: String, line: Int, column: Int)]) -> Bool {
      !rows.isEmpty && rows.allSatisfy { CodeFrame.isOurs(path: $0.path) }
    }
  }
#endif
