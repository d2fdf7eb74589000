/// A hash of bytes that is the same on every machine and in every run: FNV-1a with 64 bits.
@usableFromInline
package struct FNV1a {
  @usableFromInline var state: UInt64

  /// The hash of the bytes so far.
  @inlinable package var value: UInt64 { state }

  /// The start value that the authors of the hash chose.
  @inlinable package static var offsetBasis: UInt64 { 0xCBF2_9CE4_8422_2325 }

  /// Creates a hash of nothing.
  ///
  /// - Parameter seed: Another start value, for a second hash of the same bytes.
  @inlinable
  package init(seed: UInt64 = FNV1a.offsetBasis) {
    state = seed
  }

  @inlinable
  @inline(__always)
  package mutating func add(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  @inlinable
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte) }
  }
}

extension UInt64 {
  /// The number in sixteen hexadecimal digits.
  package var hexadecimalText: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
