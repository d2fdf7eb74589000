import TraceAnalysis
import TraceFormat

/// The time range that the columns of the timeline show, which zooms and pans.
///
/// It keeps its duration at the maximum time, so that it looks the same there.
struct VisibleRange: Equatable, Sendable {
  var start = Nanoseconds.zero
  /// The duration, which is at least one nanosecond.
  var duration: UInt64 = 1

  var end: Nanoseconds { start.after(duration) }
  /// The times in the columns. The end isn't in a column.
  var times: TimeRange { TimeRange(from: start, before: end) }

  /// Returns the time range of a whole log, with some room after its end.
  static func all(of log: LogAnalysis) -> VisibleRange { all(lasting: log.duration) }

  /// Returns the time range of logs of a duration, with some room after their end.
  static func all(lasting duration: Nanoseconds) -> VisibleRange {
    VisibleRange(
      start: .zero,
      duration: max(1, duration.count.plusSaturating(max(1, duration.count / 50))))
  }

  /// Returns the visible range for a time range, with a little room on both sides.
  static func around(_ times: TimeRange) -> VisibleRange {
    let duration = max(1, times.duration.count)
    let room = max(1, duration / 20)
    let start = times.start.count > room ? times.start.count - room : 0
    return VisibleRange(start: Nanoseconds(start), duration: duration.plusSaturating(2 * room))
  }

  func scale(columns: Int) -> TimeScale {
    TimeScale(start: start, duration: Nanoseconds(duration), columns: columns, includesEnd: false)
  }

  func contains(_ time: Nanoseconds) -> Bool { times.contains(time) }

  /// Returns the duration of a column, which is at least a nanosecond.
  func step(columns: Int) -> UInt64 { max(1, duration / UInt64(max(1, columns))) }

  /// Zooms in or out by a factor around a time that stays in its column.
  mutating func zoom(
    by factor: Double, at time: Nanoseconds, minDuration: UInt64, maxDuration: UInt64
  ) {
    let maxDuration = max(maxDuration, minDuration)
    let scaled = min(max(Double(duration) * factor, Double(minDuration)), Double(maxDuration))
    let new = min(max(UInt64(saturating: scaled), minDuration), maxDuration)
    let before = Double(time.since(start).count) / Double(duration)
    let lead = UInt64(saturating: max(0, min(1, before)) * Double(new))
    start = Nanoseconds(time.count > lead ? time.count - lead : 0)
    duration = new
  }

  /// Zooms in or out by a factor around a time, at most until everything is in view and at least
  /// to a nanosecond for each column, the resolution of times in a log.
  mutating func zoom(by factor: Double, at time: Nanoseconds, cells: Int, within all: VisibleRange)
  {
    let minDuration = UInt64(max(1, cells))
    zoom(
      by: factor, at: time, minDuration: minDuration, maxDuration: max(all.duration, minDuration))
    if duration >= all.duration { self = all }
  }

  /// Returns a time after it moves by columns of the screen, at most to the last time.
  func time(
    _ time: Nanoseconds, movedBy columns: Int, cells: Int, last: Nanoseconds
  ) -> Nanoseconds {
    let scale = scale(columns: cells)
    let target = scale.column(of: time) + columns
    if contains(time), (0..<scale.columns).contains(target) {
      return min(scale.start(of: target), max(last, time))
    }
    // The time leaves the window by the same distance that it would move inside it.
    let distance = step(columns: cells).timesSaturating(UInt64(abs(columns)))
    if columns < 0 {
      return Nanoseconds(time.count > distance ? time.count - distance : 0)
    }
    return min(time.after(distance), max(last, time))
  }

  /// Returns the visible time that is nearest to a time, up to the last time.
  func nearest(to time: Nanoseconds, last: Nanoseconds) -> Nanoseconds {
    let inside = duration > 0 ? duration - 1 : 0
    return min(max(time, start), min(start.after(inside), max(last, start)))
  }

  /// Moves the window earlier or later. It can't start before the beginning or after the end of
  /// the log.
  mutating func pan(by steps: Double, within last: Nanoseconds) {
    let distance = UInt64(saturating: abs(steps) * Double(duration))
    if steps < 0 {
      start = Nanoseconds(start.count > distance ? start.count - distance : 0)
    } else {
      start = min(start.after(max(1, distance)), max(start, last))
    }
  }

  /// Moves the window no more than necessary to show a time.
  mutating func reveal(_ time: Nanoseconds) {
    if time < start {
      start = time.count > duration / 8 ? Nanoseconds(time.count - duration / 8) : .zero
    } else if time >= end {
      let lead = duration - max(1, duration / 8)
      start = Nanoseconds(time.count > lead ? time.count - lead : 0)
    }
  }
}

/// Up to two marked times.
struct TimeMarks: Equatable, Sendable {
  private(set) var times: [Nanoseconds] = []
  /// The number of turns since the marks were set.
  private var next = 0

  /// Adds a mark. A third mark replaces the older one of two.
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

  /// Returns the next mark to go to. The marks take turns.
  mutating func turn() -> Nanoseconds? {
    guard !times.isEmpty else { return nil }
    defer { next += 1 }
    return times[next % times.count]
  }

  /// The time range between two marks, including both.
  var between: TimeRange? {
    guard times.count == 2, let first = times.min(), let last = times.max(), first < last else {
      return nil
    }
    return TimeRange(from: first, through: last)
  }
}

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
