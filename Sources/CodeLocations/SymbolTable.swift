/// The symbols of a 64-bit executable or library.
package struct SymbolTable {
  package struct Symbol {
    /// The offset of the name in the section of texts.
    package let name: Int
    let kind: UInt64
    package let start: UInt
    let size: UInt

    var isFunction: Bool { kind == 2 }
    /// A Boolean value that indicates whether this is a variable, such as an async function
    /// pointer.
    package var isObject: Bool { kind == 1 }
    var end: UInt { start &+ size }
  }

  private static let entrySize = 24
  private let table: UnsafeRawBufferPointer

  package init(_ table: UnsafeRawBufferPointer) { self.table = table }

  /// Calls `body` with each symbol while there is time.
  package func visit(_ isInTime: () -> Bool, _ body: (Symbol) -> Void) {
    for number in 0..<table.count / Self.entrySize {
      if number % 1024 == 0, !isInTime() { return }
      var cursor = ByteCursor(table, from: number * Self.entrySize)
      let name = cursor.integer(4)
      let kind = cursor.number(1) & 0xF
      guard kind == 1 || kind == 2 else { continue }
      cursor.skip(3)
      let start = UInt(truncatingIfNeeded: cursor.number(8))
      body(
        Symbol(
          name: name, kind: kind, start: start, size: UInt(truncatingIfNeeded: cursor.number(8))))
    }
  }
}
