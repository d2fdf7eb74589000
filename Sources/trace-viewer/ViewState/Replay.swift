/// The replay of a log.
struct Replay: Equatable, Sendable {
  var isPlaying = false
  var speed = ReplaySpeed()
  /// A Boolean value that indicates whether long time ranges without events are skipped.
  var skipsGaps = false
  /// The time of the last tick, in nanoseconds from any origin.
  private var lastTick: UInt64?
  /// The fraction of a nanosecond that has not been played yet, at slow speeds.
  private var remainder = 0.0

  /// The maximum time in nanoseconds to play a gap. Longer gaps are skipped.
  static let longestGap: UInt64 = 1_000_000_000

  /// Returns the nanoseconds of the log that have elapsed since the last tick.
  mutating func elapsed(_ now: UInt64) -> UInt64 {
    defer { lastTick = now }
    guard isPlaying, let last = lastTick, now > last else { return 0 }
    let exact = Double(now - last) * speed.factor + remainder
    guard exact < 9e18 else { return UInt64(9e18) }
    remainder = exact - exact.rounded(.down)
    return UInt64(exact)
  }

  mutating func pause() {
    isPlaying = false
    lastTick = nil
    remainder = 0
  }

  mutating func play() {
    isPlaying = true
    lastTick = nil
  }
}
