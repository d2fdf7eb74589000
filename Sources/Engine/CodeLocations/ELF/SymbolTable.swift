import SystemLibrary

/// The symbols of a 64-bit executable or library.
package struct SymbolTable {
  package struct Symbol {
    /// The offset of the name in the string section.
    package let name: Int
    let kind: UInt64
    package let start: UInt
    package let size: UInt

    var isFunction: Bool { kind == ElfLayout.Symbol.isFunction }
    /// A Boolean value that indicates whether this is a variable, such as an async function
    /// pointer.
    package var isObject: Bool { kind == ElfLayout.Symbol.isObject }
    package var end: UInt { start &+ size }
  }

  private let table: UnsafeRawBufferPointer

  package init(_ table: UnsafeRawBufferPointer) { self.table = table }

  /// Calls `body` with each symbol while there is time.
  package func visit(_ isInTime: () -> Bool, _ body: (Symbol) -> Void) {
    guard let base = table.baseAddress else { return }
    for number in 0..<table.count / ElfLayout.Symbol.size {
      if number % 1024 == 0, !isInTime() { return }
      let entry = base + number * ElfLayout.Symbol.size
      let info = entry.load(fromByteOffset: ElfLayout.Symbol.info, as: UInt8.self)
      let kind = UInt64(info) & ElfLayout.Symbol.kindMask
      guard kind == ElfLayout.Symbol.isObject || kind == ElfLayout.Symbol.isFunction else {
        continue
      }
      body(
        Symbol(
          name: Int(entry.loadUnaligned(as: UInt32.self)), kind: kind,
          start: entry.loadUnaligned(fromByteOffset: ElfLayout.Symbol.start, as: UInt.self),
          size: entry.loadUnaligned(fromByteOffset: ElfLayout.Symbol.length, as: UInt.self)))
    }
  }

  /// Calls `body` with each function and its name while there is time.
  ///
  /// - Parameter texts: The section with the names of the symbols.
  func visitFunctions(
    _ texts: UnsafeRawBufferPointer, _ isInTime: () -> Bool,
    _ body: (_ function: Symbol, _ name: UnsafeRawBufferPointer) -> Void
  ) {
    guard let base = texts.baseAddress else { return }
    visit(isInTime) { symbol in
      guard symbol.isFunction, symbol.name >= 0, symbol.name < texts.count else { return }
      let start = base + symbol.name
      let length = strnlen(
        start.assumingMemoryBound(to: CChar.self), texts.count - symbol.name)
      body(symbol, UnsafeRawBufferPointer(start: start, count: length))
    }
  }
}

#if os(Linux)
  extension ElfFile {
    /// Returns the addresses of variables in the file, by their symbols. A symbol that isn't in the
    /// table, or that the file only imports, is missing.
    package func addresses(ofVariables names: [String], isInTime: () -> Bool) -> [String: UInt] {
      let (table, section) = symbols
      guard !table.isEmpty, let texts = contents(of: section) else { return [:] }
      var found: [String: UInt] = [:]
      let wanted = names.map { (name: $0, bytes: Array($0.utf8) + [0]) }
      table.withUnsafeBytes { table in
        texts.withUnsafeBytes { texts in
          SymbolTable(table).visit(isInTime) { symbol in
            guard symbol.isObject, symbol.start != 0, symbol.name < texts.count else { return }
            let rest = texts[symbol.name...]
            for (name, bytes) in wanted where rest.starts(with: bytes) {
              found[name] = symbol.start
            }
          }
        }
      }
      return found
    }

    /// Returns whether the file imports or defines a function. Without symbols, the result is true.
    package func mentions(function name: String, isInTime: () -> Bool) -> Bool {
      let wanted = Array(name.utf8)
      let tables = [symbols, dynamicSymbols].filter { !$0.table.isEmpty }
      var isFound = tables.isEmpty
      for (table, section) in tables where !isFound {
        guard let texts = contents(of: section) else { continue }
        table.withUnsafeBytes { table in
          texts.withUnsafeBytes { texts in
            SymbolTable(table).visitFunctions(texts, isInTime) { _, name in
              // The linker adds the version to the names of functions of libraries.
              isFound = isFound || name.prefix { $0 != UInt8(ascii: "@") }.elementsEqual(wanted)
            }
          }
        }
      }
      return isFound
    }

    /// Returns the functions whose names start with some texts, by these texts.
    package func functions(
      startingWith starts: Set<String>, isInTime: () -> Bool
    ) -> [String: [(symbol: SymbolTable.Symbol, name: String)]] {
      let (table, section) = symbols
      guard !table.isEmpty, let texts = contents(of: section) else { return [:] }
      let wanted = starts.map { (text: $0, bytes: Array($0.utf8)) }
      var found: [String: [(symbol: SymbolTable.Symbol, name: String)]] = [:]
      table.withUnsafeBytes { table in
        texts.withUnsafeBytes { texts in
          SymbolTable(table).visitFunctions(texts, isInTime) { symbol, name in
            for (text, bytes) in wanted where name.starts(with: bytes) {
              found[text, default: []].append((symbol, String(decoding: name, as: UTF8.self)))
            }
          }
        }
      }
      return found
    }

    /// Returns which of some functions the file defines.
    package func functions(among names: [String], isInTime: () -> Bool) -> Set<String> {
      let (table, section) = symbols
      guard !table.isEmpty, let texts = contents(of: section) else { return [] }
      let wanted = names.map { (name: $0, bytes: Array($0.utf8)) }
      var found: Set<String> = []
      table.withUnsafeBytes { table in
        texts.withUnsafeBytes { texts in
          SymbolTable(table).visitFunctions(texts, isInTime) { function, name in
            // A function that the file only imports has no size.
            guard function.start != 0, function.size != 0 else { return }
            for (text, bytes) in wanted
            where name.count == bytes.count && name.elementsEqual(bytes) {
              found.insert(text)
            }
          }
        }
      }
      return found
    }
  }
#endif
