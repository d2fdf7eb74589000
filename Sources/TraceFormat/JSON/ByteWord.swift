/// Eight bytes looked at together, the first in the low bits: `SIMD16` comparisons compile to a loop a byte (6.3).
package enum ByteWord {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  package static func load(_ bytes: UnsafeRawPointer, at offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Stores 16 bytes with one instruction where the processor has one; `LinePublisher` counts on it.
  @inline(__always)
  package static func store(
    _ low: UInt64, _ high: UInt64, to target: UnsafeMutableRawPointer, at offset: Int
  ) {
    let both = SIMD2<UInt64>(low.littleEndian, high.littleEndian)
    target.storeBytes(of: both, toByteOffset: offset, as: SIMD2<UInt64>.self)
  }

  @inline(__always)
  package static func filled(with byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

  /// The first `count` bytes of `word`, and of `rest` from there on; `count` is below 8.
  @inline(__always)
  package static func join(_ word: UInt64, upTo count: Int, _ rest: UInt64) -> UInt64 {
    let mask: UInt64 = (1 &<< UInt64(truncatingIfNeeded: 8 &* count)) &- 1
    return word & mask | rest & ~mask
  }

  /// Whether a byte is a control character, a quote or a backslash, which JSON wants escaped.
  @inline(__always)
  package static func needsEscape(_ word: UInt64) -> Bool { endsOfPlainText(word) != 0 }

  /// The top bits of bytes that are a quote, a backslash or a control character; beyond the first of them it means nothing.
  @inline(__always)
  package static func endsOfPlainText(_ word: UInt64) -> UInt64 {
    let quote = word ^ filled(with: UInt8(ascii: "\""))
    let backslash = word ^ filled(with: UInt8(ascii: "\\"))
    let control = (word &- filled(with: 0x20)) & ~word
    return (control | hasZero(quote) | hasZero(backslash)) & tops
  }

  /// Whether a byte is a backslash or belongs to a letter beyond ASCII.
  @inline(__always)
  package static func needsCare(_ word: UInt64) -> Bool {
    (word | hasZero(word ^ filled(with: UInt8(ascii: "\\")))) & tops != 0
  }

  /// The top bit of a byte is set where one is zero; the others mean nothing where none is.
  @inline(__always)
  private static func hasZero(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
}
