/// The escaping of text for the inside of a JSON string, as the recorder does it: into memory that
/// the caller owns, and only where JSON requires it. `JSONText` escapes more.
package enum JSONEscaping {
  /// The maximum number of bytes that one byte of text becomes, as in `\u001F`.
  package static let worstGrowth = 6

  /// Writes `text` with escapes and returns the number of bytes written.
  ///
  /// The target must have room for `worstGrowth` times the size of the text plus 16 bytes. The
  /// function may overwrite those 16 bytes.
  package static func write(
    _ text: UnsafeBufferPointer<UInt8>, to target: UnsafeMutableRawPointer
  ) -> Int {
    guard let start = text.baseAddress else { return 0 }
    let source = UnsafeRawPointer(start)
    let count = text.count
    var written = 0
    var read = 0
    guard count >= 8 else {
      while read < count {
        written += write(text[read], to: target + written)
        read += 1
      }
      return written
    }
    while count - read >= 8 {
      let word = ByteWord.load(source, at: read)
      target.storeBytes(of: word.littleEndian, toByteOffset: written, as: UInt64.self)
      let ends = ByteWord.endsOfPlainText(word)
      // Most words are plain.
      guard ends != 0 else {
        read += 8
        written += 8
        continue
      }
      let plain = ends.trailingZeroBitCount >> 3
      written += plain
      written += write(text[read + plain], to: target + written)
      read += plain + 1
    }
    while read < count {
      // The last word ends with the text, and blanks follow it.
      let left = count - read
      let shifted = ByteWord.load(source, at: count - 8) &>> UInt64(64 - 8 * left)
      let word = ByteWord.join(shifted, upTo: left, blanks)
      target.storeBytes(of: word.littleEndian, toByteOffset: written, as: UInt64.self)
      let ends = ByteWord.endsOfPlainText(word)
      guard ends != 0 else { return written + left }
      let plain = ends.trailingZeroBitCount >> 3
      written += plain
      written += write(text[read + plain], to: target + written)
      read += plain + 1
    }
    return written
  }

  private static var blanks: UInt64 { ByteWord.filled(with: 0x20) }

  @inline(__always)
  private static func write(_ byte: UInt8, to target: UnsafeMutableRawPointer) -> Int {
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      target.storeBytes(of: UInt8(ascii: "\\"), as: UInt8.self)
      target.storeBytes(of: byte, toByteOffset: 1, as: UInt8.self)
      return 2
    }
    if byte >= 0x20 {
      target.storeBytes(of: byte, as: UInt8.self)
      return 1
    }
    return writeSlowPath(byte, to: target)
  }

  @inline(never)
  private static func writeSlowPath(_ byte: UInt8, to target: UnsafeMutableRawPointer) -> Int {
    target.storeBytes(of: UInt8(ascii: "\\"), as: UInt8.self)
    if let letter = shortForm(byte) {
      target.storeBytes(of: letter, toByteOffset: 1, as: UInt8.self)
      return 2
    }
    target.storeBytes(of: UInt8(ascii: "u"), toByteOffset: 1, as: UInt8.self)
    target.storeBytes(of: UInt8(ascii: "0"), toByteOffset: 2, as: UInt8.self)
    target.storeBytes(of: UInt8(ascii: "0"), toByteOffset: 3, as: UInt8.self)
    target.storeBytes(of: hexadecimal(byte >> 4), toByteOffset: 4, as: UInt8.self)
    target.storeBytes(of: hexadecimal(byte & 15), toByteOffset: 5, as: UInt8.self)
    return 6
  }

  /// Returns the letter of the two-character escape of a byte, if it has one.
  fileprivate static func shortForm(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
    case 0x08: UInt8(ascii: "b")
    case 0x09: UInt8(ascii: "t")
    case 0x0A: UInt8(ascii: "n")
    case 0x0C: UInt8(ascii: "f")
    case 0x0D: UInt8(ascii: "r")
    default: nil
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
  }
}

/// Strings and integers in JSON syntax for documents, which people also read in a terminal.
@usableFromInline
package enum JSONText {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Appends a quoted string. Hidden characters become `\u` escapes, so the text is safe to display
  /// and keeps its full meaning. Plain runs are copied whole.
  package static func append(_ text: String, to bytes: inout [UInt8], escapesLessThan: Bool = false)
  {
    var text = text
    text.withUTF8 { append($0, to: &bytes, escapesLessThan: escapesLessThan) }
  }

  static func append(
    _ utf8: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8], escapesLessThan: Bool
  ) {
    bytes.append(UInt8(ascii: "\""))
    escape(utf8, to: &bytes, escapesLessThan)
    bytes.append(UInt8(ascii: "\""))
  }

  @inlinable
  package static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    append(UInt64(value.magnitude), isNegative: value < 0, to: &bytes)
  }

  @usableFromInline
  static func append(_ magnitude: UInt64, isNegative: Bool, to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(byteCount: 1 + Digits.maxCount, alignment: 8) { digits in
      guard let base = digits.baseAddress else { return }
      let length = Digits.write(magnitude, isNegative: isNegative, to: base)
      bytes.append(contentsOf: digits[..<length])
    }
  }

  private static func escape(
    _ utf8: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8], _ escapesLessThan: Bool
  ) {
    var rest = utf8
    while true {
      let plain = plainCount(rest, escapesLessThan)
      bytes.append(contentsOf: rest[..<plain])
      guard plain < rest.count else { return }
      let (scalar, length) = scalar(rest, at: plain)
      escape(scalar, to: &bytes)
      rest = UnsafeBufferPointer(rebasing: rest[(plain + length)...])
    }
  }

  /// Returns the number of bytes before the first character that is written as an escape.
  static func plainCount(_ utf8: UnsafeBufferPointer<UInt8>, _ escapesLessThan: Bool) -> Int {
    var index = 0
    if !escapesLessThan, isPlainShortASCII(utf8) { return utf8.count }
    while index < utf8.count {
      if !escapesLessThan, let base = utf8.baseAddress, utf8.count - index >= 8,
        ByteWord.isPlainASCII(ByteWord.load(UnsafeRawPointer(base), at: index))
      {
        index += 8
        continue
      }
      let byte = utf8[index]
      if isPlain(byte), byte != UInt8(ascii: "<") || !escapesLessThan {
        index += 1
        continue
      }
      let (scalar, length) = scalar(utf8, at: index)
      if byte < 0x80 || HiddenCharacter.contains(scalar) { return index }
      index += length
    }
    return utf8.count
  }

  /// Reports whether a text has 4 to 16 bytes, and all are plain ASCII. Most keys and many values
  /// are such texts.
  @inline(__always)
  private static func isPlainShortASCII(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = utf8.baseAddress.map({ UnsafeRawPointer($0) }), 4...16 ~= utf8.count else {
      return false
    }
    // The last word overlaps the first one.
    guard utf8.count < 8 else {
      return ByteWord.isPlainASCII(ByteWord.load(base, at: 0))
        && ByteWord.isPlainASCII(ByteWord.load(base, at: utf8.count - 8))
    }
    let first = base.loadUnaligned(as: UInt32.self)
    let last = base.loadUnaligned(fromByteOffset: utf8.count - 4, as: UInt32.self)
    return ByteWord.isPlainASCII(UInt64(first) | UInt64(last) << 32)
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
    if scalar.isASCII, let letter = JSONEscaping.shortForm(UInt8(scalar.value)) {
      bytes.append(letter)
    } else if scalar.value > 0xFFFF {
      // JSON needs a surrogate pair above U+FFFF.
      append(unit: UTF16.leadSurrogate(scalar), to: &bytes)
      bytes.append(UInt8(ascii: "\\"))
      append(unit: UTF16.trailSurrogate(scalar), to: &bytes)
    } else {
      append(unit: UInt16(scalar.value), to: &bytes)
    }
  }

  private static func append(unit: UInt16, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "u"))
    for shift in [12, 8, 4, 0] as [UInt16] { bytes.append(digits[Int(unit >> shift & 0xF)]) }
  }
}
