/// Strings and integers in JSON syntax.
package enum JSONText {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Appends a quoted string. Hidden characters become `\u` escapes, so the text is safe to display
  /// and keeps its full meaning. Plain runs are copied whole.
  package static func append(_ text: String, to bytes: inout [UInt8], escapesLessThan: Bool = false) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { append($0, to: &bytes, escapesLessThan) }
    bytes.append(UInt8(ascii: "\""))
  }

  package static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = UInt64(value.magnitude)
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    } while rest > 0
    bytes[start...].reverse()
  }

  private static func append(
    _ utf8: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8], _ escapesLessThan: Bool
  ) {
    var start = 0
    var index = 0
    while index < utf8.count {
      let byte = utf8[index]
      if isPlain(byte), byte != UInt8(ascii: "<") || !escapesLessThan {
        index += 1
        continue
      }
      let (scalar, length) = scalar(utf8, at: index)
      if byte < 0x80 || HiddenCharacter.contains(scalar) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
        escape(scalar, to: &bytes)
        start = index + length
      }
      index += length
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    if byte >= 0x80 { return !HiddenCharacter.mayBegin(with: byte) }
    return byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// Returns the character at `index` of valid UTF-8 and its length in bytes.
  private static func scalar(
    _ utf8: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (Unicode.Scalar, length: Int) {
    let first = utf8[index]
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = UInt32(first) & [0x7F, 0x1F, 0x0F, 0x07][length - 1]
    for byte in utf8[(index + 1)..<(index + length)] { value = value << 6 | UInt32(byte & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }

  private static func escape(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch scalar {
    case "\"", "\\": bytes.append(UInt8(scalar.value))
    case "\n": bytes.append(UInt8(ascii: "n"))
    case "\r": bytes.append(UInt8(ascii: "r"))
    case "\t": bytes.append(UInt8(ascii: "t"))
    default:
      // JSON needs a surrogate pair above U+FFFF.
      if scalar.value > 0xFFFF {
        append(unit: UTF16.leadSurrogate(scalar), to: &bytes)
        bytes.append(UInt8(ascii: "\\"))
        append(unit: UTF16.trailSurrogate(scalar), to: &bytes)
      } else {
        append(unit: UInt16(scalar.value), to: &bytes)
      }
    }
  }

  private static func append(unit: UInt16, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "u"))
    for shift in [12, 8, 4, 0] as [UInt16] { bytes.append(digits[Int(unit >> shift & 0xF)]) }
  }
}
