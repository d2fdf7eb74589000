/// The decimal digits at the start of eight bytes, all converted at once.
@frozen @usableFromInline
package struct DigitWord {
  /// The number of digits, 0 to 8.
  @usableFromInline package let count: Int
  @usableFromInline package let value: UInt64

  @inlinable @inline(__always)
  package init(_ word: UInt64) {
    let digits = word ^ 0x3030_3030_3030_3030
    // The top bit marks each byte that is not a digit. Marks after the first one are meaningless.
    let others = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
    count = others == 0 ? 8 : others.trailingZeroBitCount >> 3
    // Leading zeros make sure that there are always eight digits. (A shift by 64 gives 0.)
    let eight = digits << UInt64(truncatingIfNeeded: 64 - 8 * count)
    // Three steps join neighbors into numbers of two, four and eight digits.
    let pairs = (eight &* 10 &+ (eight &>> 8)) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ (pairs &>> 16)) & 0x0000_FFFF_0000_FFFF
    value = (fours &* 10_000 &+ (fours &>> 32)) & 0xFFFF_FFFF
  }

  /// Ten to the power of `count`.
  @inlinable @inline(__always)
  package var power: UInt64 {
    switch count {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    default: 100_000_000
    }
  }
}
