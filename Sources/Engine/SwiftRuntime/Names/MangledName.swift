/// A mangled name of a type, a function or a variable (`docs/ABI/Mangling.rst` in the Swift
/// repository).
///
/// Its extension in `MangledName+Types.swift` examines the names of types in the metadata of this
/// process, and its extension in `MangledName+Symbols.swift` parses the names in symbol tables.
/// `TypeTreeParser` parses the names of types in the memory of any process.
package struct MangledName {
  let bytes: [UInt8]
  /// The address of a name in memory, where its symbolic references are valid, or nil.
  let address: UInt?

  /// Creates a name without symbolic references.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    address = nil
  }

  /// Reads the name at an address, which metadata contains. The name ends with a zero, but its
  /// symbolic references can contain zeros, too.
  package init(at address: UInt) {
    var (start, length): (UInt, UInt) = (address, 0)
    while Metadata.load(start, as: UInt8.self) == Self.padding { start &+= 1 }
    while case let first = Metadata.load(start &+ length, as: UInt8.self), first != 0 {
      length += UInt(Self.length(ofPart: first))
    }
    bytes = (0..<length).map { Metadata.load(start &+ $0, as: UInt8.self) }
    self.address = start
  }

  /// A byte without a meaning. The compiler of Swift 6.2 writes it before a reference to a function
  /// that returns the metadata of a type.
  private static let padding: UInt8 = 0xFF

  /// The kinds of symbolic references.
  enum Reference {
    /// The descriptor of a type, at the distance.
    static let descriptor: UInt8 = 1
    /// The descriptor of a type, whose address is at the distance.
    static let indirectDescriptor: UInt8 = 2
    /// A function that returns the metadata of a type.
    static let typeFunction: UInt8 = 9
    /// The kinds that are followed by a distance of four bytes.
    static let short: ClosedRange<UInt8> = 0x01...0x17
    /// The kinds that are followed by an address of eight bytes.
    static let long: ClosedRange<UInt8> = 0x18...0x1F
  }

  /// Returns the length of a symbolic reference that begins with a byte, or 1 for any other byte.
  private static func length(ofPart first: UInt8) -> Int {
    switch first {
    case Reference.short: 1 + MemoryLayout<Int32>.size
    case Reference.long: 1 + MemoryLayout<UInt>.size
    default: 1
    }
  }

  /// A position in a mangled name.
  struct Cursor {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) { rest = Array(bytes)[...] }

    var first: UInt8? { rest.first }
    var isAtEnd: Bool { rest.isEmpty }

    /// Skips a letter. Returns false if another one is at the position.
    mutating func skip(_ letter: Unicode.Scalar) -> Bool {
      guard first == UInt8(ascii: letter) else { return false }
      rest.removeFirst()
      return true
    }

    /// Skips one of the given letters, and returns it. Returns nil if another one is at the
    /// position.
    mutating func skip(oneOf letters: String.UTF8View) -> UInt8? {
      guard let first, letters.contains(first) else { return nil }
      return rest.removeFirst()
    }

    /// Skips a symbolic reference or a single byte. Returns its first byte, or nil at the end.
    mutating func skipPart() -> UInt8? {
      guard let first else { return nil }
      rest = rest.dropFirst(length(ofPart: first))
      return first
    }

    mutating func skipToEnd() { rest = [] }

    /// Reads a number in decimal digits. Returns nil if there isn't one.
    mutating func number() -> Int? {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
      rest = rest.dropFirst(digits.count)
      return number
    }

    /// The maximum index. Indices are added, which must not overflow.
    private var maxIndex: Int { 1 << 32 }

    /// Reads an index: `_` is 0, `0_` is 1, `1_` is 2.
    mutating func index() -> Int? {
      if skip("_") { return 0 }
      guard let number = number(), number < maxIndex, skip("_") else { return nil }
      return number + 1
    }

    /// Reads an identifier: its length, and then its text. Returns nil if there isn't one, or if it
    /// refers to words of earlier identifiers, in which case it begins with a zero.
    mutating func identifier() -> String? {
      var next = self
      guard first != UInt8(ascii: "0"), let count = next.number(), next.rest.count >= count else {
        return nil
      }
      let text = next.rest.prefix(count)
      rest = next.rest.dropFirst(count)
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// Returns the first byte of each symbolic reference, and all other bytes.
  ///
  /// - Parameter identifiers: Whether to include the bytes of identifiers. Otherwise, there is a
  ///   zero for each of them.
  func letters(includingIdentifiers identifiers: Bool) -> [UInt8] {
    var letters: [UInt8] = []
    var cursor = Cursor(bytes)
    while let first = cursor.first {
      if !identifiers, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first) {
        letters.append(0)
        // If the text is too short for its length, nothing after it is known.
        if cursor.identifier() == nil { cursor.skipToEnd() }
      } else if let letter = cursor.skipPart() {
        letters.append(letter)
      }
    }
    return letters
  }
}
