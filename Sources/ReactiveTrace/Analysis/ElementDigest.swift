/// The texts of elements, one after the other, as a number: two subscriptions with the same had the same elements, but for one
/// case in some 2^64.
///
/// A polynomial of the numbers of the texts, so that stretches of a file can be put together wherever it was divided.
package struct ElementDigest: Hashable, Sendable {
  private var sum: UInt64 = 0
  private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let factor: UInt64 = 0xD6E8_FEB8_6659_FD93

  package init() {}

  @inline(__always)
  mutating func add(_ text: RawText) {
    let bytes = UnsafeRawPointer(text.start)
    var mixed = UInt64(truncatingIfNeeded: text.count) &* Self.factor
    var offset = 0
    while text.count - offset >= 8 {
      mixed = Self.mix(mixed ^ ByteWord.load(bytes, at: offset))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < text.count {
      rest = rest &<< 8 | UInt64(text.start[offset])
      offset += 1
    }
    sum = sum &* Self.base &+ Self.mix(mixed ^ rest)
  }

  /// An element whose text was not recorded.
  mutating func addNothing() {
    sum = sum &* Self.base &+ 1
  }

  /// Adds the `count` elements of a stretch behind.
  mutating func append(_ next: ElementDigest, count: Int) {
    var power: UInt64 = 1
    var square = Self.base
    var rest = count
    while rest > 0 {
      if rest & 1 == 1 { power = power &* square }
      square = square &* square
      rest >>= 1
    }
    sum = sum &* power &+ next.sum
  }

  @inline(__always)
  private static func mix(_ word: UInt64) -> UInt64 {
    let product = word &* factor
    return product ^ (product &>> 32)
  }
}
