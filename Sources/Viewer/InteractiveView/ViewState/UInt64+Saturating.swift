extension UInt64 {
  /// Creates the whole part of a number. A number that is too large becomes the maximum, and a
  /// negative one becomes 0.
  init(saturating number: Double) {
    if number >= 0x1p64 {
      self = .max
    } else {
      self = number > 0 ? UInt64(number) : 0
    }
  }

  func timesSaturating(_ factor: UInt64) -> UInt64 {
    let (product, overflows) = multipliedReportingOverflow(by: factor)
    return overflows ? .max : product
  }

  func plusSaturating(_ other: UInt64) -> UInt64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
