/// Functions that format integers as decimal text without an allocation.
@usableFromInline
package enum Digits {
  /// The strings 00 to 99, two bytes each.
  private static let pairs: [UInt16] = (0..<100).map { number in
    let tens = UInt16(UInt8(ascii: "0")) + UInt16(number / 10)
    let ones = UInt16(UInt8(ascii: "0")) + UInt16(number % 10)
    return UInt16(littleEndian: tens | ones << 8)
  }

  /// The number of digits of the largest integer.
  static let maxCount = 20

  /// Writes an integer and returns the number of its bytes. The target must have room for 20 bytes,
  /// and those after the integer can change.
  ///
  /// Numbers below 10^16, such as times, are written eight digits at a time, in half of the
  /// instructions.
  @usableFromInline
  package static func write(_ value: Int, to target: UnsafeMutableRawPointer) -> Int {
    guard value >= 0 else { return writeSlowPath(value, to: target) }
    let number = UInt64(truncatingIfNeeded: value)
    if number < 100_000_000 { return writeShort(number, to: target) }
    let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
    guard high < 100_000_000 else { return writeSlowPath(value, to: target) }
    let length = writeShort(high, to: target)
    target.storeBytes(
      of: (eightDigits(low) | asciiZeros).littleEndian, toByteOffset: length, as: UInt64.self)
    return length + 8
  }

  /// Writes a number below 10^8 with one store of 8 bytes.
  @inline(__always)
  private static func writeShort(_ number: UInt64, to target: UnsafeMutableRawPointer) -> Int {
    let digits = eightDigits(number)
    // The last digit is always present, even for 0.
    let zeros = min(7, digits.trailingZeroBitCount >> 3)
    let text = (digits | asciiZeros) &>> UInt64(8 * zeros)
    target.storeBytes(of: text.littleEndian, as: UInt64.self)
    return 8 - zeros
  }

  @inline(never)
  private static func writeSlowPath(_ value: Int, to target: UnsafeMutableRawPointer) -> Int {
    write(UInt64(value.magnitude), isNegative: value < 0, to: target)
  }

  /// Writes at most `maxCount` bytes and a sign, and returns the number of bytes written.
  @inline(__always)
  static func write(
    _ magnitude: UInt64, isNegative: Bool, to target: UnsafeMutableRawPointer
  ) -> Int {
    var rest = magnitude
    let sign = isNegative ? 1 : 0
    if sign == 1 { target.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self) }
    let length = sign + count(rest)
    var position = length
    while rest >= 100 {
      position -= 2
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      target.storeBytes(of: pairs[Int(pair)], toByteOffset: position, as: UInt16.self)
      rest = quotient
    }
    if rest >= 10 {
      target.storeBytes(of: pairs[Int(rest)], toByteOffset: position - 2, as: UInt16.self)
    } else {
      let digit = UInt8(ascii: "0") + UInt8(rest)
      target.storeBytes(of: digit, toByteOffset: position - 1, as: UInt8.self)
    }
    return length
  }

  @inlinable @inline(__always)
  package static var asciiZeros: UInt64 { 0x3030_3030_3030_3030 }

  /// Returns the eight decimal digits of a number below 10^8, one per byte, with the first digit in
  /// the low bits. Each step processes all halves, quarters or eighths of the number in one word.
  @inlinable @inline(__always)
  package static func eightDigits(_ number: UInt64) -> UInt64 {
    let top = (number &* 109_951_163) >> 40  // number / 10_000
    let halves = top | (number &- top &* 10_000) << 32
    let hundreds = ((halves &* 10_486) >> 20) & 0x7F_0000_007F  // each half / 100
    let quarters = hundreds | (halves &- hundreds &* 100) << 16
    let tens = ((quarters &* 103) >> 10) & 0xF_000F_000F_000F  // each quarter / 10
    return tens | (quarters &- tens &* 10) << 8
  }

  private static func count(_ value: UInt64) -> Int {
    var digits = 1
    var rest = value
    while rest >= 10_000 {
      rest /= 10_000
      digits += 4
    }
    if rest >= 1000 { return digits + 3 }
    if rest >= 100 { return digits + 2 }
    return rest >= 10 ? digits + 1 : digits
  }
}
