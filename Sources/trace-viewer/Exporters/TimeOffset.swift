internal import ReactiveTrace

/// A length of time as people write it: `1.5s`, `300ms`, `2min`; seconds where no unit is named.
enum TimeOffset {
  private static let units: [String: UInt64] = [
    "": 1_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "us": 1000, "µs": 1000, "μs": 1000,
    "ns": 1, "min": 60_000_000_000, "h": 3_600_000_000_000,
  ]

  /// Nil where the text is no such time, or one longer than 2^64 nanoseconds. What is less than a nanosecond is left out.
  static func nanoseconds(of text: String) -> Nanoseconds? {
    let number = text.prefix { ($0.isASCII && $0.isNumber) || $0 == "." }
    guard let unit = units[String(text[number.endIndex...])] else { return nil }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }), let whole = UInt64(parts[0]) else {
      return nil
    }
    let (product, overflows) = whole.multipliedReportingOverflow(by: unit)
    guard !overflows else { return nil }
    var fraction: UInt64 = 0
    var tenth = unit
    for digit in parts.dropFirst().joined().utf8 {
      tenth /= 10
      fraction += UInt64(digit - UInt8(ascii: "0")) * tenth
    }
    let (sum, carries) = product.addingReportingOverflow(fraction)
    return carries ? nil : Nanoseconds(sum)
  }
}
