extension JSONCursor {
  /// Skips a value of any type and checks that the value is valid.
  package mutating func skipValue(depth: Int = 0) throws(LineFault) {
    guard depth < JSONCursor.depthLimit else { throw .malformed }
    skipSpace()
    switch try peek() {
    case UInt8(ascii: "\""):
      try expect(UInt8(ascii: "\""))
      _ = try string()
    case UInt8(ascii: "{"):
      try skipObject(depth: depth)
    case UInt8(ascii: "["):
      try skipArray(depth: depth)
    case UInt8(ascii: "t"):
      try skipWord("true")
    case UInt8(ascii: "f"):
      try skipWord("false")
    case UInt8(ascii: "n"):
      try skipWord("null")
    default:
      try skipNumber()
    }
  }

  private mutating func skipObject(depth: Int) throws(LineFault) {
    try expect(UInt8(ascii: "{"))
    skipSpace()
    if try take(UInt8(ascii: "}")) { return }
    while true {
      skipSpace()
      try expect(UInt8(ascii: "\""))
      _ = try string()
      skipSpace()
      try expect(UInt8(ascii: ":"))
      try skipValue(depth: depth + 1)
      skipSpace()
      if try take(UInt8(ascii: "}")) { return }
      try expect(UInt8(ascii: ","))
    }
  }

  private mutating func skipArray(depth: Int) throws(LineFault) {
    try expect(UInt8(ascii: "["))
    skipSpace()
    if try take(UInt8(ascii: "]")) { return }
    while true {
      try skipValue(depth: depth + 1)
      skipSpace()
      if try take(UInt8(ascii: "]")) { return }
      try expect(UInt8(ascii: ","))
    }
  }

  private mutating func skipWord(_ word: StaticString) throws(LineFault) {
    for index in 0..<word.utf8CodeUnitCount {
      try expect(word.utf8Start[index])
    }
  }

  private mutating func skipNumber() throws(LineFault) {
    _ = try take(UInt8(ascii: "-"))
    if try !take(UInt8(ascii: "0")) { try skipDigits() }
    if isAtEnd { throw .cut }
    if try take(UInt8(ascii: ".")) { try skipDigits() }
    if try peek() | 0x20 == UInt8(ascii: "e") {
      _ = try take(peek())
      if try !take(UInt8(ascii: "+")) { _ = try take(UInt8(ascii: "-")) }
      try skipDigits()
    }
  }

  private mutating func skipDigits() throws(LineFault) {
    guard (0x30...0x39).contains(try peek()) else { throw .malformed }
    while try (0x30...0x39).contains(peek()) { _ = try take(peek()) }
  }
}
