import TraceFormat

/// How thick the elements of a subscription came: the most in a row in one second of the log's clock.
///
/// It keeps the first and the last second in which elements came in a row, so that stretches of a file can be put together
/// wherever it was divided.
package struct PeakRate: Equatable, Sendable {
  private struct Run: Equatable, Sendable {
    /// Since the log's start.
    var second: UInt32 = 0
    var count: UInt32 = 0
  }

  private var longest = Run()
  private var last = Run()
  /// Known from the second run on.
  private var first = Run()
  /// 2 for any that are more than one.
  private var runs: UInt8 = 0

  package init() {}

  /// The most elements that came in a row in one second.
  package var most: Int { Int(longest.count) }
  /// The second in which they came, since the log's start.
  package var second: Int { Int(longest.second) }

  @inline(__always)
  mutating func beat(_ time: Nanoseconds) {
    let second = UInt32(truncatingIfNeeded: time.count / 1_000_000_000)
    if second == last.second, runs > 0 {
      last.count &+= 1
    } else {
      begin(Run(second: second, count: 1))
    }
    if last.count > longest.count { longest = last }
  }

  private mutating func begin(_ run: Run) {
    if runs == 1 { first = last }
    if runs < 2 { runs += 1 }
    last = run
  }

  /// Adds the elements of a stretch behind.
  mutating func append(_ next: PeakRate) {
    guard next.runs > 0 else { return }
    guard runs > 0 else { return self = next }
    let nextFirst = next.runs == 1 ? next.last : next.first
    if nextFirst.second == last.second {
      last.count &+= nextFirst.count
    } else {
      begin(nextFirst)
    }
    if last.count > longest.count { longest = last }
    if next.runs > 1 { begin(next.last) }
    if next.longest.count > longest.count { longest = next.longest }
  }
}
