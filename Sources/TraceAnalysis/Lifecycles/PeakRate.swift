import TraceFormat

/// The peak rate of a subscription's elements: the most consecutive elements in one second of the
/// log's clock.
///
/// It keeps the first and the last second with consecutive elements, so that parts of a file can be
/// merged wherever the file was divided.
package struct PeakRate: Equatable, Sendable {
  private struct Run: Equatable, Sendable {
    /// The second of the run, counted from the log's start.
    var second: UInt32 = 0
    var count: UInt32 = 0
  }

  private var longest = Run()
  private var last = Run()
  /// The first run, which is known from the second run on.
  private var first = Run()
  /// The number of runs; 2 stands for any number above one.
  private var runs: UInt8 = 0

  package init() {}

  /// The most consecutive elements in one second.
  package var most: Int { Int(longest.count) }
  /// The second in which they came, counted from the log's start.
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

  /// Adds the elements of the following part.
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
