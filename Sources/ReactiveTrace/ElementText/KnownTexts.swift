import TraceFormat

/// Functions that write values of the standard library's simplest types. Inside other values,
/// strings are quoted, and the text of a NaN can include its payload.
enum KnownTexts {
  static func write(_ number: UInt64, to text: inout TextBuffer) {
    if let integer = Int(exactly: number) {
      text.append(integer: integer)
    } else {
      text.append(String(number))
    }
  }

  static func write(_ flag: Bool, to text: inout TextBuffer) {
    text.append(flag ? ShortLiteral("true") : ShortLiteral("false"))
  }

  /// Writes a number. Numbers with few decimals, such as prices, take a fifth of the time of
  /// others.
  @inline(__always)
  static func write(_ number: Double, nested: Bool, to text: inout TextBuffer) {
    if !writeDecimal(number, to: &text) { writeSlowPath(number, nested: nested, to: &text) }
  }

  /// Writes a number that is a decimal with at most 15 digits, at most four of them after the
  /// point. Returns false for other numbers.
  ///
  /// Two such decimals never have the same nearest number, so there isn't a shorter string. The
  /// division is correctly rounded, so its result is the nearest number to the decimal.
  private static func writeDecimal(_ number: Double, to text: inout TextBuffer) -> Bool {
    let scaled = number * 10_000
    guard scaled.magnitude < 1e15, scaled != 0 else { return false }
    let rounded = scaled.rounded()
    guard rounded / 10_000 == number else { return false }
    let (whole, part) = Int(rounded.magnitude).quotientAndRemainder(dividingBy: 10_000)
    // The digits of the part, the first in the low bits, without zeros at the end.
    let digits = Digits.eightDigits(UInt64(part)) &>> 32
    let count = max(1, 8 - digits.leadingZeroBitCount / 8)
    let rest = UInt64(UInt8(ascii: ".")) | (digits | Digits.asciiZeros) &<< 8
    text.append(isNegative: number < 0, integer: whole, rest, restCount: count + 1)
    return true
  }

  static func write(_ number: Float, nested: Bool, to text: inout TextBuffer) {
    writeSlowPath(number, nested: nested, to: &text)
  }

  @inline(never)
  private static func writeSlowPath(
    _ number: some BinaryFloatingPoint & TextOutputStreamable & CustomDebugStringConvertible,
    nested: Bool, to text: inout TextBuffer
  ) {
    if nested, number.isNaN { return text.append(number.debugDescription) }
    number.write(to: &text)
  }

  @inline(__always)
  static func write(_ string: String, nested: Bool, to text: inout TextBuffer) {
    // Without a copy, the string isn't retained.
    let isDone: Void? = string.utf8.withContiguousStorageIfAvailable {
      write($0, nested: nested, to: &text)
    }
    if isDone != nil { return }
    var copy = string
    copy.withUTF8 { write($0, nested: nested, to: &text) }
  }

  static func write(_ string: Substring, nested: Bool, to text: inout TextBuffer) {
    var copy = string
    copy.withUTF8 { write($0, nested: nested, to: &text) }
  }

  @inline(__always)
  private static func write(
    _ bytes: UnsafeBufferPointer<UInt8>, nested: Bool, to text: inout TextBuffer
  ) {
    guard nested else { return text.append(bytes) }
    if text.append(shortInQuotes: bytes) { return }
    // The rest of a long string isn't kept, so it isn't examined.
    let shown = bytes.count <= text.left ? bytes : beginning(of: bytes, text.left)
    guard isPlain(shown) else { return text.append(quoted(shown)) }
    text.append(inQuotes: shown)
  }

  /// Returns the beginning of a string with at least `count` bytes, up to the next scalar boundary.
  @inline(never)
  private static func beginning(
    of bytes: UnsafeBufferPointer<UInt8>, _ count: Int
  ) -> UnsafeBufferPointer<UInt8> {
    var end = count
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return UnsafeBufferPointer(rebasing: bytes[..<end])
  }

  @inline(never)
  private static func quoted(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).debugDescription
  }

  /// Returns whether a string is ASCII that doesn't need escapes in quotes.
  @inline(__always)
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    if let start = bytes.baseAddress {
      // Eight bytes take as many instructions as two of the rest.
      while bytes.count - index >= 8 {
        let word = ByteWord.load(UnsafeRawPointer(start), at: index)
        guard ByteWord.isPlainASCII(word), ByteWord.marks(of: UInt8(ascii: "'"), in: word) == 0
        else {
          return false
        }
        index += 8
      }
    }
    for byte in bytes[index...] {
      guard 0x20...0x7E ~= byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "'"),
        byte != UInt8(ascii: "\\")
      else { return false }
    }
    return true
  }
}
