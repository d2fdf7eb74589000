/// The escaping of text for the inside of a JSON string.
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
    var written = 0
    var read = 0
    while read < text.count {
      if read + 8 <= text.count {
        let word = ByteWord.load(source, at: read)
        if !ByteWord.needsEscape(word) {
          target.storeBytes(of: word.littleEndian, toByteOffset: written, as: UInt64.self)
          read += 8
          written += 8
          continue
        }
      }
      let stop = min(read + 8, text.count)
      while read < stop {
        written += write(text[read], to: target + written)
        read += 1
      }
    }
    return written
  }

  @inline(__always)
  private static func write(_ byte: UInt8, to target: UnsafeMutableRawPointer) -> Int {
    if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
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

  private static func shortForm(_ byte: UInt8) -> UInt8? {
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
