import SwiftRuntime
import SystemLibrary

#if os(Linux)
  /// The functions that begin at given addresses, such as the code of closures.
  ///
  /// A closure that captures values begins with a compiler-generated function without a line. The
  /// function with the closure's own code has the same name without a suffix.
  struct FunctionEntries {
    /// The addresses in the file in ascending order.
    let addresses: [UInt]
    private var names: [String?]
    /// The index in `code` of the range with the code at each address.
    private var ranges: [Int?]
    private var code: [Code] = []
    private var suspensions = SuspensionPoints()
    /// The rows of the instructions in `suspensions`.
    private var suspensionRows = RowFinder([])

    private struct Code {
      let start: UInt
      let end: UInt
      /// The offset of the line program with the code. It is set even if none of the code has a
      /// line, which happens if a function is inlined into the function that forwards captured
      /// values.
      var unit: Int?
      /// The first rows of the code that have a line.
      var rows: [(unit: Int, row: LineProgram.Row)] = []
    }

    /// The maximum number of rows to examine. The first rows of a function can belong to inlined
    /// functions.
    private static let maxRows = 64

    init(_ addresses: [UInt]) {
      self.addresses = addresses
      names = Array(repeating: nil, count: addresses.count)
      ranges = Array(repeating: nil, count: addresses.count)
    }

    /// Finds the names and the ranges of the functions in a symbol table. `text` returns the string
    /// at an offset, and `texts` returns the whole section.
    mutating func find(
      _ table: UnsafeRawBufferPointer, in file: ElfFile, _ isInTime: () -> Bool,
      text: (Int) -> String, texts: () -> [UInt8]
    ) {
      guard let first = addresses.first, let last = addresses.last else { return }
      var found = [SymbolTable.Symbol?](repeating: nil, count: addresses.count)
      SymbolTable(table).visit(isInTime) { symbol in
        guard symbol.start <= last, max(symbol.end, symbol.start &+ 1) > first else { return }
        var index = addresses.firstIndex(notBelow: symbol.start) { $0 }
        while index < addresses.count,
          addresses[index] == symbol.start || addresses[index] < symbol.end
        {
          // A function that begins exactly at the address takes precedence over a range around it.
          if found[index]?.start != addresses[index] || symbol.isFunction { found[index] = symbol }
          index += 1
        }
      }
      var wanted: [[UInt8]: [Int]] = [:]
      for (index, symbol) in found.enumerated() {
        guard let symbol else { continue }
        let name = text(symbol.name)
        let callee = MangledName.callee(of: name)
        names[index] = callee
        if callee != name { wanted[Array(callee.utf8), default: []].append(index) }
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
      findSuspensions(table, in: file, isInTime, texts)
      // Rows are looked up by address.
      let order = code.indices.sorted { code[$0].start < code[$1].start }
      var places = [Int](repeating: 0, count: code.count)
      for (new, old) in order.enumerated() { places[old] = new }
      code = order.map { code[$0] }
      ranges = ranges.map { $0.map { places[$0] } }
    }

    /// Finds where the functions suspended that resume at the addresses.
    private mutating func findSuspensions(
      _ table: UnsafeRawBufferPointer, in file: ElfFile, _ isInTime: () -> Bool,
      _ texts: () -> [UInt8]
    ) {
      var resumptions: [UInt: String] = [:]
      for (address, name) in zip(addresses, names) {
        if let name, MangledName.isResumption(name) { resumptions[address] = name }
      }
      suspensions = SuspensionPoints(before: resumptions, in: file, table, texts: texts, isInTime)
      suspensionRows = RowFinder(Set(suspensions.instructions.values).sorted())
    }

    /// Returns the symbols with the wanted names, by the indices in `wanted`.
    private static func bodies(
      _ wanted: [[UInt8]: [Int]], _ table: UnsafeRawBufferPointer, _ isInTime: () -> Bool,
      _ texts: () -> [UInt8]
    ) -> [Int: SymbolTable.Symbol] {
      guard !wanted.isEmpty, isInTime() else { return [:] }
      let lengths = Set(wanted.keys.map(\.count))
      var bodies: [Int: SymbolTable.Symbol] = [:]
      texts().withUnsafeBytes { texts in
        SymbolTable(table).visitFunctions(texts, isInTime) { symbol, name in
          guard lengths.contains(name.count) else { return }
          for index in wanted[Array(name)] ?? [] { bodies[index] = symbol }
        }
      }
      return bodies
    }

    /// Returns whether rows in a range of addresses are needed.
    func needs(_ range: Range<UInt>) -> Bool {
      if suspensionRows.needs(range) { return true }
      let next = code.firstIndex(notBelow: range.upperBound) { $0.start }
      return next > 0 && code[next - 1].end > range.lowerBound
    }

    /// Notes that the next row belongs to another unit than the previous one.
    mutating func beginUnit() { suspensionRows.beginUnit() }

    /// Records a row that can be the first line of a function, or the line of an `await`.
    @inline(__always)
    mutating func note(_ row: LineProgram.Row, isEnd: Bool, in unit: Int) {
      if !suspensionRows.addresses.isEmpty { suspensionRows.note(row, isEnd: isEnd, in: unit) }
      guard !isEnd, let first = code.first, row.address >= first.start else { return }
      noteSlowPath(row, in: unit)
    }

    private mutating func noteSlowPath(_ row: LineProgram.Row, in unit: Int) {
      let next = code.firstIndex(notBelow: row.address &+ 1) { $0.start }
      guard next > 0, row.address < code[next - 1].end else { return }
      if code[next - 1].unit == nil { code[next - 1].unit = unit }
      guard row.line > 0, code[next - 1].rows.count < Self.maxRows else { return }
      code[next - 1].rows.append((unit, row))
    }

    /// Returns the function at each address, or nil if the file doesn't contain its name.
    func functions(
      _ sections: LineProgram.Sections, in file: ElfFile, _ units: DebugUnits,
      isInTime: @escaping () -> Bool
    ) -> [CodeFunction?] {
      let files = UnitFiles(sections)
      let descriptions = FunctionDescriptions(
        file, units, Set(code.map(\.start)), isInTime: isInTime)
      let inlined = InlinedCalls(
        file, units, suspensionRows.addresses, isInTime: isInTime)
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
        // Code that the optimizer made has line 0.
        let isThunk =
          (row?.line ?? 0) == 0
          && (Demangler.isThunk(name) || MangledName.isSpecializedThunk(name))
        let isOfSystem = row == nil && CodeFrame.isOfSystem(function: name)
        var description = ranges[index].flatMap { range in
          code[range].unit.flatMap {
            descriptions.description(at: code[range].start, in: $0)
          }
        }
        // Names of parameters that weren't read in time are empty, which would look like parameters
        // without names.
        if !isInTime() { description = nil }
        let declared = declared(description, index, files)
        let isResumption = MangledName.isResumption(name)
        let suspension =
          isResumption ? suspension(before: addresses[index], inlined, files) : nil
        let place =
          (isResumption ? suspension.map { ($0.path, $0.line) } : declared)
          ?? row.map { ($0.path, $0.line) }
        // The debug information contains a column only for a function's code, not for its
        // beginning.
        let column = place.flatMap { place in
          rows.lazy.filter { $0.column > 0 && place == ($0.path, $0.line) }.map(\.column).min()
        }
        return CodeFunction(
          location: CodeFrame.location(
            suspension?.symbol ?? name, place, column: column ?? 0),
          origin: isThunk
            ? .thunk : isOurs || isOfSystem || isOnlyOurs(rows) ? .package : .user,
          symbol: name, path: place?.path,
          parameters: description?.parameters ?? [])
      }
    }

    /// Returns the line of the `await` before a function that resumes. In code that was inlined,
    /// this is the innermost line that isn't of a library.
    private func suspension(
      before address: UInt, _ inlined: InlinedCalls, _ files: UnitFiles
    ) -> InlinedCalls.Place? {
      guard let instruction = suspensions.instructions[address] else { return nil }
      let index = suspensionRows.addresses.firstIndex(notBelow: instruction) { $0 }
      guard let found = suspensionRows.rows[index], let files = files[found.unit] else {
        return nil
      }
      let calls = inlined.calls(at: instruction, in: found.unit)
      let places = InlinedCalls.places(found.row, calls, files).filter {
        !CodeFrame.isOurs(path: $0.path)
      }
      return places.first { !CodeCall.isOfDependency(path: $0.path) } ?? places.first
    }

    /// Returns the line where a function is declared. The first line of its code can belong to an
    /// inlined function.
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
