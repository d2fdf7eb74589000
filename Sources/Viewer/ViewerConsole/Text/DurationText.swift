package import TraceFormat

/// A formatter for durations: `1.24 s`, `350 ms`, `2 min 3 s`.
package struct DurationText {
  package let isASCII: Bool

  package init(isASCII: Bool) {
    self.isASCII = isASCII
  }

  package func callAsFunction(_ time: Nanoseconds) -> String {
    let count = time.count
    if count < 1000 { return "\(count) ns" }
    let parts: [(size: UInt64, name: String)] = [
      (1000, isASCII ? "us" : "µs"), (1_000_000, "ms"), (1_000_000_000, "s"),
    ]
    for (size, name) in parts where count < size * 1000 {
      // A value that rounds up to 1000 belongs to the next unit.
      if let digits = threeDigits(count, size), size < 1_000_000_000 || count < 59_950_000_000 {
        return "\(digits) \(name)"
      }
    }
    let seconds = (count / 500_000_000 + 1) / 2
    if seconds < 3600 { return pair(seconds / 60, "min", seconds % 60, "s") }
    let minutes = (seconds / 30 + 1) / 2
    if minutes < 1440 { return pair(minutes / 60, "h", minutes % 60, "min") }
    let hours = (minutes / 30 + 1) / 2
    return pair(hours / 24, "d", hours % 24, "h")
  }

  /// Returns three digits at most without trailing zeros, or `nil` if rounding makes a fourth.
  private func threeDigits(_ count: UInt64, _ size: UInt64) -> String? {
    let whole = count / size
    let digitCount = whole < 10 ? 2 : whole < 100 ? 1 : 0
    let power: UInt64 = [1, 10, 100][digitCount]
    let scaled = (count / (size / 1000) * power + 500) / 1000
    guard scaled < 1000 * power else { return nil }
    guard scaled % power > 0 else { return "\(scaled / power)" }
    var digits = String(scaled % power)
    while digits.utf8.count < digitCount { digits = "0" + digits }
    while digits.last == "0" { digits.removeLast() }
    return "\(scaled / power).\(digits)"
  }

  private func pair(_ large: UInt64, _ name: String, _ small: UInt64, _ smallName: String)
    -> String
  {
    small == 0 ? "\(large) \(name)" : "\(large) \(name) \(small) \(smallName)"
  }
}

/// A formatter for counts of things: `1,204 records`, `1 record`.
package enum CountText {
  package static func number(_ count: some BinaryInteger) -> String {
    let digits = String(count)
    guard digits.utf8.count > 3 else { return digits }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  package static func make(_ count: some BinaryInteger, _ one: String, _ many: String? = nil)
    -> String
  {
    "\(number(count)) \(count == 1 ? one : many ?? one + "s")"
  }
}
