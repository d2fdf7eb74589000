import TraceFormat

/// A hash of the text of elements, in order. Two subscriptions with equal digests had equal
/// elements, except in about one of 2^64 cases.
///
/// It is a polynomial in the hashes of the strings, so that parts of a file can be merged
/// regardless of where the file was divided.
struct ElementDigest: Hashable, BitwiseCopyable, Sendable {
  private var sum: UInt64 = 0
  private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let factor: UInt64 = 0xD6E8_FEB8_6659_FD93

  init() {}

  /// Bits that are equal for equal digests.
  var hash: Int { Int(truncatingIfNeeded: sum ^ sum &>> 32) }

  /// An arbitrary order, for sorting.
  static func < (left: ElementDigest, right: ElementDigest) -> Bool { left.sum < right.sum }

  @inline(__always)
  mutating func add(_ text: RawText) {
    add(Self.number(of: text))
  }

  /// Adds an element by the number of its text.
  @inline(__always)
  mutating func add(_ number: UInt64) {
    sum = sum &* Self.base &+ number
  }

  /// Returns the number of an element with a text, or of one whose text was not recorded.
  @inline(__always)
  static func number(of text: RawText?) -> UInt64 {
    text.map { number(UnsafeRawPointer($0.start), $0.count) } ?? 1
  }

  /// Returns a hash of the bytes. It reads two words at a time; the last words overlap those before
  /// them.
  @inline(__always)
  static func number(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
    var sum = UInt64(truncatingIfNeeded: count) ^ factor
    var offset = 0
    while count - offset > 16 {
      sum = mix(ByteWord.load(bytes, at: offset) ^ sum, ByteWord.load(bytes, at: offset + 8) ^ base)
      offset += 16
    }
    guard count < 8 else {
      let last = ByteWord.load(bytes, at: count - 8)
      return mix(ByteWord.load(bytes, at: min(offset, count - 8)) ^ sum, last ^ base)
    }
    var rest: UInt64 = 0
    for index in 0..<count {
      rest = rest &<< 8 | UInt64(bytes.load(fromByteOffset: index, as: UInt8.self))
    }
    return mix(rest ^ sum, base)
  }

  /// Adds an element whose text was not recorded.
  mutating func addNothing() {
    add(Self.number(of: nil))
  }

  /// Adds the `count` elements of the following part.
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
  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
