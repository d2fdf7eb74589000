import TraceAnalysis
import TraceFormat

/// The stretch of time that is in view.
struct TimeStretch: Equatable, Sendable {
  var start = Nanoseconds.zero
  /// At least one nanosecond.
  var duration: UInt64 = 1

  var end: Nanoseconds { start.after(duration) }

  /// Of a log, with some room behind its end.
  static func all(of log: LogAnalysis) -> TimeStretch {
    TimeStretch(
      start: .zero,
      duration: max(
        1, log.duration.count.plusSaturating(max(1, log.duration.count / 50))))
  }

  func scale(columns: Int) -> TimeScale {
    TimeScale(
      start: start, duration: Nanoseconds(duration), columns: columns, includesEnd: false)
  }

  func contains(_ time: Nanoseconds) -> Bool { start <= time && time < end }

  /// How long a column is, at least a nanosecond.
  func step(columns: Int) -> UInt64 { max(1, duration / UInt64(max(1, columns))) }

  /// Twice as near or as far, or by another factor, with a time staying in its column.
  mutating func zoom(by factor: Double, at time: Nanoseconds, least: UInt64, most: UInt64) {
    let most = max(most, least)
    let scaled = min(max(Double(duration) * factor, Double(least)), Double(most))
    let new = min(max(UInt64(saturating: scaled), least), most)
    let before = Double(time.since(start).count) / Double(duration)
    let lead = UInt64(saturating: max(0, min(1, before)) * Double(new))
    start = Nanoseconds(time.count > lead ? time.count - lead : 0)
    duration = new
  }

  /// Earlier or later, but not before the beginning or with the end of the log before the window.
  mutating func pan(by steps: Double, within last: Nanoseconds) {
    let distance = UInt64(saturating: abs(steps) * Double(duration))
    if steps < 0 {
      start = Nanoseconds(start.count > distance ? start.count - distance : 0)
    } else {
      start = min(start.after(max(1, distance)), max(start, last))
    }
  }

  /// Moves as little as is needed to have a time in view.
  mutating func reveal(_ time: Nanoseconds) {
    if time < start {
      start = time.count > duration / 8 ? Nanoseconds(time.count - duration / 8) : .zero
    } else if time >= end {
      let lead = duration - max(1, duration / 8)
      start = Nanoseconds(time.count > lead ? time.count - lead : 0)
    }
  }
}

/// Up to two times that were marked.
struct TimeMarks: Equatable, Sendable {
  private(set) var times: [Nanoseconds] = []
  /// Which of them was gone to last.
  private var next = 0

  /// The older of two gives way to a third.
  mutating func add(_ time: Nanoseconds) {
    times.append(time)
    if times.count > 2 { times.removeFirst() }
    next = 0
  }

  mutating func set(_ first: Nanoseconds, _ second: Nanoseconds) {
    times = [min(first, second), max(first, second)]
    next = 0
  }

  mutating func clear() { times = [] }

  /// The one to go to, each in its turn.
  mutating func turn() -> Nanoseconds? {
    guard !times.isEmpty else { return nil }
    defer { next += 1 }
    return times[next % times.count]
  }

  var between: TimeStretch? {
    guard times.count == 2, let first = times.min(), let last = times.max(), first < last else {
      return nil
    }
    return TimeStretch(start: first, duration: last.since(first).count)
  }
}
