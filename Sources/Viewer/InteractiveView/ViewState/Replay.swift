package import TraceFormat
package import ViewerConsole

/// The replay of a log.
package struct Replay: Equatable, Sendable {
  private(set) var isPlaying = false
  package private(set) var speed: ReplaySpeed
  /// A Boolean value that indicates whether long time ranges without events are skipped.
  package private(set) var skipsGaps: Bool
  /// The time of the last tick, in nanoseconds from any origin.
  private var lastTick: UInt64?
  /// The fraction of a nanosecond that has not been played yet, at slow speeds.
  private var remainder = 0.0

  /// The maximum time in nanoseconds to play a gap. Longer gaps are skipped.
  package static let longestGap: UInt64 = 1_000_000_000

  package init(speed: ReplaySpeed = ReplaySpeed(), skipsGaps: Bool = false) {
    self.speed = speed
    self.skipsGaps = skipsGaps
  }

  mutating func pause() {
    isPlaying = false
    lastTick = nil
    remainder = 0
  }

  package mutating func play() {
    isPlaying = true
    lastTick = nil
  }

  mutating func changeSpeed(by step: Int) { speed.change(by: step) }

  mutating func toggleGaps() { skipsGaps.toggle() }

  /// Returns the time of the playhead after a tick of the clock.
  ///
  /// - Parameters:
  ///   - time: The time of the playhead before the tick.
  ///   - now: The time of the clock, in nanoseconds from any origin.
  ///   - nextMoment: Returns the time of the next event after a time.
  package mutating func time(
    after time: Nanoseconds, at now: UInt64, nextMoment: (Nanoseconds) -> Nanoseconds?
  ) -> Nanoseconds {
    let played = time.after(elapsed(now))
    guard skipsGaps, let next = nextMoment(time) else { return played }
    let longest = UInt64(saturating: Double(Replay.longestGap) * speed.factor)
    return next.since(played).count > max(longest, 1) ? next : played
  }

  /// Returns the nanoseconds of the log that have elapsed since the last tick.
  mutating func elapsed(_ now: UInt64) -> UInt64 {
    defer { lastTick = now }
    guard isPlaying, let last = lastTick, now > last else { return 0 }
    let exact = Double(now - last) * speed.factor + remainder
    guard exact < 9e18 else { return UInt64(9e18) }
    remainder = exact - exact.rounded(.down)
    return UInt64(exact)
  }
}
