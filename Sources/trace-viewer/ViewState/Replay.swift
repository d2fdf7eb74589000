/// A log being played again.
struct Replay: Equatable, Sendable {
  var isPlaying = false
  var speed = ReplaySpeed()
  /// Whether stretches in which nothing happens for long are left out.
  var skipsGaps = false
  /// When the clock was looked at last, in nanoseconds of any beginning.
  private var lastTick: UInt64?
  /// Parts of a nanosecond that were not played yet, at slow speeds.
  private var remainder = 0.0

  /// A gap that takes longer than this to play is skipped, in nanoseconds.
  static let longestGap: UInt64 = 1_000_000_000

  /// The nanoseconds of the log that went by since the clock was looked at last.
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
