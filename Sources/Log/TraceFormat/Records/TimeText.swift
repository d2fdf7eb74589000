/// A parser for times as people write them and as reports print them: `1.5s`, `300 ms`,
/// `2 min 3 s`. A plain number is in seconds.
package enum TimeText {
  private static let units: [(name: String, size: UInt64)] = [
    ("ns", 1), ("us", 1000), ("\u{B5}s", 1000), ("\u{3BC}s", 1000), ("ms", 1_000_000),
    ("s", 1_000_000_000), ("min", 60_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
  ]

  /// Returns the time in nanoseconds, or `nil` for text that is not a time. A time that is too long
  /// for a log becomes the maximum time.
  package static func nanoseconds(_ text: String) -> Nanoseconds? {
    if let seconds = scaled(text[...], by: 1_000_000_000) { return Nanoseconds(seconds) }
    var rest = text[...]
    var sum = Nanoseconds.zero
    repeat {
      let number = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
      rest = rest[number.endIndex...].drop { $0 == " " }
      let unit = rest.prefix { $0.isLetter }
      rest = rest[unit.endIndex...].drop { $0 == " " }
      // The comparison uses Unicode scalars because two different characters look like the same
      // Greek letter.
      guard
        let size = units.first(where: { $0.name.unicodeScalars.elementsEqual(unit.unicodeScalars) }
        )?.size,
        let part = scaled(number, by: size)
      else { return nil }
      sum = sum.after(part)
    } while !rest.isEmpty
    return sum
  }

  /// Returns a decimal number of units in nanoseconds. Fractions of a nanosecond are cut off.
  private static func scaled(_ text: Substring, by size: UInt64) -> UInt64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, !whole.isEmpty || parts.count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }),
      parts.contains(where: { !$0.isEmpty })
    else { return nil }
    let (product, overflows) = (UInt64(whole.isEmpty ? "0" : whole) ?? .max)
      .multipliedReportingOverflow(by: size)
    var total = Nanoseconds(overflows ? .max : product)
    var digitSize = size
    for digit in parts.count == 2 ? parts[1] : "" where digitSize >= 10 {
      digitSize /= 10
      total = total.after(digitSize * UInt64(digit.wholeNumberValue ?? 0))
    }
    return total.count
  }
}
