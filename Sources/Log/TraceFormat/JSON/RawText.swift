/// A JSON string as it appears in the log: the bytes between the quotes, including escapes.
///
/// The text borrows from the reader's buffer and is valid only until the visitor that received it
/// returns. To keep it longer, use `string` or the location of the line in the file.
@frozen @usableFromInline
package struct RawText {
  @usableFromInline package let start: UnsafePointer<UInt8>
  @usableFromInline package let count: Int
  @usableFromInline package let isEscaped: Bool

  @inlinable
  package init(start: UnsafePointer<UInt8>, count: Int, isEscaped: Bool) {
    self.start = start
    self.count = count
    self.isEscaped = isEscaped
  }

  /// The text without escapes. Invalid UTF-8 and lone surrogates become U+FFFD.
  @usableFromInline package var string: String {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    return isEscaped ? RawText.unescapeSlowPath(bytes).text : String(decoding: bytes, as: UTF8.self)
  }

  /// The offset of the first escape that is half of a surrogate pair without the other half.
  package var loneSurrogate: Int? {
    isEscaped
      ? RawText.unescapeSlowPath(UnsafeBufferPointer(start: start, count: count)).loneSurrogate
      : nil
  }

  /// True for the placeholder that the first line of a log contains instead of a missing value.
  @inlinable
  package var isPlaceholder: Bool {
    count == 1 && start.pointee == UInt8(ascii: "-")
  }

  @inline(never)
  private static func unescapeSlowPath(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (text: String, loneSurrogate: Int?) {
    var units: [UInt8] = []
    var loneSurrogate: Int?
    units.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\\"), index < bytes.count else {
        units.append(byte)
        continue
      }
      let escape = bytes[index]
      index += 1
      switch escape {
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "u"):
        let start = index - 2
        if let scalar = scalar(bytes, &index) {
          units.append(contentsOf: String(scalar).utf8)
        } else {
          loneSurrogate = loneSurrogate ?? start
          units.append(contentsOf: "\u{FFFD}".utf8)
        }
      default: units.append(escape)
      }
    }
    return (String(decoding: units, as: UTF8.self), loneSurrogate)
  }

  /// Returns the scalar whose four hexadecimal digits begin at `index`, or nil for a lone
  /// surrogate. Reads the second surrogate too if there is one.
  private static func scalar(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int
  ) -> Unicode.Scalar? {
    guard let first = codeUnit(bytes, at: index) else { return nil }
    index += 4
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u"), let second = codeUnit(bytes, at: index + 2),
      (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    {
      index += 6
      return scalar
    }
    return nil
  }

  private static func codeUnit(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32? {
    guard index + 4 <= bytes.count else { return nil }
    var unit: UInt32 = 0
    for offset in 0..<4 {
      guard let digit = hexDigit(bytes[index + offset]) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  /// Returns the value of a hexadecimal digit, or nil for any other byte.
  package static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
