import TraceFormat

/// A formatter for readable durations: `0 ns`, `1.204 ms`, `2.1 s`.
enum ElapsedTime {
  static func text(_ nanoseconds: Int) -> String {
    let units: [(name: String, size: Int)] = [
      ("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1000),
    ]
    for unit in units where nanoseconds >= unit.size {
      let thousandths = nanoseconds / (unit.size / 1000)
      let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
      var digits = String(1000 + rest).dropFirst()
      while digits.last == "0" { digits.removeLast() }
      return digits.isEmpty ? "\(whole) \(unit.name)" : "\(whole).\(digits) \(unit.name)"
    }
    return "\(nanoseconds) ns"
  }
}
