public import SystemLibrary

/// A position in JSON text, with methods that read from there.
///
/// The cursor is strict. It throws `malformed` for anything that RFC 8259 does not allow, and `cut`
/// if the text ends too early. After an error, the position is that of the first byte that is
/// wrong, or of the backslash of a wrong escape.
///
/// Lines of a log and documents (`JSONDocument` in trace-viewer) are read with this cursor.
/// Millions of lines are read per second, so the reader of lines picks known keys and skips the
/// rest. Documents are written by people, so their reader keeps everything and explains every
/// error.
@frozen @usableFromInline
package struct JSONCursor {
  @usableFromInline package internal(set) var position: UnsafePointer<UInt8>
  @usableFromInline package let end: UnsafePointer<UInt8>

  /// The maximum nesting depth of the values of unknown keys.
  static let depthLimit = 64

  @inlinable
  package init(position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    self.position = position
    self.end = end
  }

  package var isAtEnd: Bool {
    @inlinable @inline(__always) get { position >= end }
  }

  @inlinable @inline(__always)
  package func peek() throws(LineFault) -> UInt8 {
    guard position < end else { throw .cut }
    return position.pointee
  }

  @inlinable @inline(__always)
  package mutating func skipSpace() {
    while position < end {
      switch position.pointee {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// Skips `byte` if it is next, and reports whether it was.
  @inlinable @inline(__always)
  package mutating func take(_ byte: UInt8) throws(LineFault) -> Bool {
    guard try peek() == byte else { return false }
    position += 1
    return true
  }

  @inlinable @inline(__always)
  package mutating func expect(_ byte: UInt8) throws(LineFault) {
    guard try take(byte) else { throw .malformed }
  }

  /// Skips `word` if it is next, and reports whether it was.
  @inlinable @inline(__always)
  package mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    // With a constant number of bytes, this is a few comparisons of words and not a call.
    guard end - position >= count, memcmp(position, word.utf8Start, count) == 0 else {
      return false
    }
    position += count
    return true
  }

  /// Reads the integer at the cursor if it is in the range that a log may contain, 0 to 2^64 - 1.
  /// Otherwise, returns nil and does not move.
  @inlinable @inline(__always)
  package mutating func takeInteger() -> UInt64? {
    var scan = position
    var value: UInt64 = 0
    while scan < end {
      let digit = scan.pointee &- 0x30
      guard digit < 10 else { break }
      // 19 digits always fit.
      guard scan - position < 19 else { return takeLongIntegerSlowPath() }
      value = value &* 10 &+ UInt64(digit)
      scan += 1
    }
    let count = scan - position
    guard count > 0, count == 1 || position.pointee != 0x30 else { return nil }
    if scan < end {
      switch scan.pointee {
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): return nil
      default: break
      }
    }
    position = scan
    return value
  }

  @usableFromInline @inline(never)
  mutating func takeLongIntegerSlowPath() -> UInt64? {
    var scan = position
    var value: UInt64 = 0
    while scan < end, scan.pointee &- 0x30 < 10 {
      let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = product.addingReportingOverflow(UInt64(scan.pointee &- 0x30))
      guard !tooLarge, !overflows else { return nil }
      value = sum
      scan += 1
    }
    guard position.pointee != 0x30, scan == end || ![0x2E, 0x65, 0x45].contains(scan.pointee)
    else { return nil }
    position = scan
    return value
  }

  /// Reads the string at the cursor, whose opening quote is already consumed.
  @inlinable @inline(__always)
  package mutating func string() throws(LineFault) -> RawText {
    let start = position
    var isEscaped = false
    while true {
      skipPlainText()
      guard position < end else { throw .cut }
      switch position.pointee {
      case UInt8(ascii: "\""):
        let text = RawText(start: start, count: position - start, isEscaped: isEscaped)
        position += 1
        return text
      case UInt8(ascii: "\\"):
        isEscaped = true
        try skipEscape()
      default:
        throw .malformed
      }
    }
  }

  /// Moves to the next quote, backslash or control character, or to the end.
  @inlinable @inline(__always)
  mutating func skipPlainText() {
    while end - position >= 8 {
      let hits = ByteWord.endsOfPlainText(ByteWord.load(UnsafeRawPointer(position), at: 0))
      if hits != 0 {
        position += hits.trailingZeroBitCount >> 3
        return
      }
      position += 8
    }
    while position < end {
      let byte = position.pointee
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return }
      position += 1
    }
  }

  /// Skips an escape. If it is not valid, the position stays at its backslash.
  @usableFromInline
  mutating func skipEscape() throws(LineFault) {
    guard end - position >= 2 else { throw .cut }
    switch position[1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      for index in 2..<6 {
        guard end - position > index else { throw .cut }
        guard RawText.hexDigit(position[index]) != nil else { throw .malformed }
      }
      position += 6
    default:
      throw .malformed
    }
  }
}

// MARK: Skipping values

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

  /// Skips a number and stops after it, even if what follows can't follow a number.
  package mutating func skipNumber() throws(LineFault) {
    _ = try take(UInt8(ascii: "-"))
    if try !take(UInt8(ascii: "0")) { try skipDigits() }
    if !isAtEnd, try take(UInt8(ascii: ".")) { try skipDigits() }
    if !isAtEnd, try peek() | 0x20 == UInt8(ascii: "e") {
      position += 1
      if try !take(UInt8(ascii: "+")) { _ = try take(UInt8(ascii: "-")) }
      try skipDigits()
    }
  }

  private mutating func skipDigits() throws(LineFault) {
    guard (0x30...0x39).contains(try peek()) else { throw .malformed }
    while position < end, (0x30...0x39).contains(position.pointee) { position += 1 }
  }
}

/// The reason why a line is not a record.
@usableFromInline
package enum LineFault: Error, Equatable, Sendable {
  /// The line stops in the middle of its object.
  case cut
  /// The line is not a JSON object.
  case malformed
  /// The line is a JSON object that lacks a key that its kind of record requires.
  case incomplete
}
