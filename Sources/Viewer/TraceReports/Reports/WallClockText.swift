/// A formatter for times of the wall clock.
enum WallClockText {
  /// Returns `2026-11-20T23:48:50.123456789Z` as `2026-11-20 23:48:50 UTC`. Other formats are
  /// returned unchanged.
  static func make(_ time: String) -> String {
    var parts = time.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].last == "Z" else { return time }
    parts[1] = parts[1].dropLast().prefix { $0 != "." }
    return "\(parts[0]) \(parts[1]) UTC"
  }
}
