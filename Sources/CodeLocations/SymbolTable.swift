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
    for number in 0..<table.count / ElfLayout.Symbol.size {
      if number % 1024 == 0, !isInTime() { return }
      var cursor = ByteCursor(table, from: number * ElfLayout.Symbol.size)
      let name = cursor.integer(4)
      let kind = cursor.number(1) & ElfLayout.Symbol.kindMask
      guard kind == ElfLayout.Symbol.isObject || kind == ElfLayout.Symbol.isFunction else {
        continue
      }
      cursor.skip(3)
      let start = UInt(truncatingIfNeeded: cursor.number(8))
      body(
        Symbol(
          name: name, kind: kind, start: start, size: UInt(truncatingIfNeeded: cursor.number(8))))
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
