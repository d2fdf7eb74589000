/// Operations on eight bytes at once, with the first byte in the low bits of a 64-bit word.
///
/// `SIMD16` isn't an alternative: Swift 6.3 compiles its comparisons to a loop over the bytes.
///
/// Everything is inlinable, because the recorder and the reader call it for every eight bytes. As
/// calls across the module boundary, these functions took 10 % of the time of a recorded element.
@usableFromInline
package enum ByteWord {
  @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }
  @inlinable package static var tops: UInt64 { 0x8080_8080_8080_8080 }

  @inlinable @inline(__always)
  package static func load(_ bytes: UnsafeRawPointer, at offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Stores 16 bytes with one instruction if the processor has one. `LinePublisher` relies on this.
  @inlinable @inline(__always)
  package static func store(
    _ low: UInt64, _ high: UInt64, to target: UnsafeMutableRawPointer, at offset: Int
  ) {
    let both = SIMD2<UInt64>(low.littleEndian, high.littleEndian)
    target.storeBytes(of: both, toByteOffset: offset, as: SIMD2<UInt64>.self)
  }

  @inlinable @inline(__always)
  package static func filled(with byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

  /// Returns the first `count` bytes of `word`, followed by the bytes of `rest` from that offset
  /// on. `count` is below 8.
  @inlinable @inline(__always)
  package static func join(_ word: UInt64, upTo count: Int, _ rest: UInt64) -> UInt64 {
    let mask: UInt64 = (1 &<< UInt64(truncatingIfNeeded: 8 &* count)) &- 1
    return word & mask | rest & ~mask
  }

  /// Reports whether any byte is a control character, a quote or a backslash. JSON requires escapes
  /// for these.
  @inlinable @inline(__always)
  package static func needsEscape(_ word: UInt64) -> Bool { endsOfPlainText(word) != 0 }

  /// Returns a word with the top bit set in each byte that is a quote, a backslash or a control
  /// character. Bits after the first set bit are meaningless.
  @inlinable @inline(__always)
  package static func endsOfPlainText(_ word: UInt64) -> UInt64 {
    let quote = word ^ filled(with: UInt8(ascii: "\""))
    let backslash = word ^ filled(with: UInt8(ascii: "\\"))
    let control = (word &- filled(with: 0x20)) & ~word
    return (control | hasZero(quote) | hasZero(backslash)) & tops
  }

  /// Reports whether any byte is a backslash or part of a non-ASCII character.
  @inlinable @inline(__always)
  package static func needsCare(_ word: UInt64) -> Bool {
    (word | hasZero(word ^ filled(with: UInt8(ascii: "\\")))) & tops != 0
  }

  /// Reports whether all bytes are characters of ASCII that need no escape and are not hidden.
  @inlinable @inline(__always)
  package static func isPlainASCII(_ word: UInt64) -> Bool {
    let delete = word ^ filled(with: 0x7F)
    return (word & tops) | endsOfPlainText(word) | (hasZero(delete) & tops) == 0
  }

  /// Returns a word with the top bit set in each byte that equals `byte`. Bits after the first set
  /// bit are meaningless.
  @inlinable @inline(__always)
  package static func marks(of byte: UInt8, in word: UInt64) -> UInt64 {
    hasZero(word ^ filled(with: byte)) & tops
  }

  /// Returns a word with the top bit set in each zero byte. The lower bits of each byte are
  /// meaningless, and so are the top bits after the first zero byte.
  @inlinable @inline(__always)
  static func hasZero(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
}
