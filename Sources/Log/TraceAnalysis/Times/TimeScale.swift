package import TraceFormat

/// A layout of a time range of a log over a number of columns.
package struct TimeScale: Equatable, Sendable {
  package struct Tick: Equatable, Sendable {
    package let time: Nanoseconds
    package let column: Int

    package init(time: Nanoseconds, column: Int) {
      self.time = time
      self.column = column
    }
  }

  package let start: Nanoseconds
  package let duration: Nanoseconds
  package let columns: Int
  /// A Boolean value that indicates whether an event at the exact end of the time range is in the
  /// last column. Otherwise, it is beyond that column.
  package let includesEnd: Bool

  package init(
    start: Nanoseconds = .zero, duration: Nanoseconds, columns: Int, includesEnd: Bool = true
  ) {
    self.includesEnd = includesEnd
    self.start = start
    self.duration = duration
    self.columns = max(1, columns)
  }

  /// Creates a scale of a time range.
  package init(_ times: TimeRange, columns: Int) {
    self.init(
      start: times.start, duration: times.duration, columns: columns,
      includesEnd: times.includesEnd)
  }

  package var times: TimeRange {
    let end = start.after(duration.count)
    return includesEnd ? TimeRange(from: start, through: end) : TimeRange(from: start, before: end)
  }

  /// Returns the column of a time. Times outside the range are in the first or the last column.
  package func column(of time: Nanoseconds) -> Int {
    guard duration > .zero else { return 0 }
    let distance = time.since(start).count
    guard distance < duration.count else { return columns - 1 }
    let product = distance.multipliedFullWidth(by: UInt64(columns))
    // The product nearly always fits, and the division then takes a tenth of the time.
    guard product.high > 0 else { return Int(product.low / duration.count) }
    return Int(duration.count.dividingFullWidth(product).quotient)
  }

  /// Returns the first time in a column; for the column after the last, the end.
  package func start(of column: Int) -> Nanoseconds {
    let column = UInt64(max(0, min(column, columns)))
    let product = duration.count.multipliedFullWidth(by: column)
    let (quotient, rest) = UInt64(columns).dividingFullWidth(product)
    return start.after(rest > 0 ? quotient + 1 : quotient)
  }

  /// Returns round times that are at least `gap` columns apart.
  package func ticks(gap: Int) -> [Tick] {
    guard duration > .zero else { return [Tick(time: start, column: 0)] }
    let atLeast = Double(duration.count) * Double(gap) / Double(columns)
    let step = TimeScale.roundStep(atLeast: atLeast)
    var ticks: [Tick] = []
    let end = start.after(duration.count).count
    var time = start.count
    // Days are the longest step, so this comes near the maximum time only if the range begins
    // there.
    if time % step > 0 { time = start.after(step - time % step).count }
    while time <= end {
      let column = column(of: Nanoseconds(time))
      if let last = ticks.last, column <= last.column { break }
      ticks.append(Tick(time: Nanoseconds(time), column: column))
      let (next, overflows) = time.addingReportingOverflow(step)
      if overflows { break }
      time = next
    }
    return ticks
  }

  /// Returns a round step: 1, 2 or 5 times a power of ten or, above a few seconds, a round number
  /// of seconds, minutes, hours or days.
  private static func roundStep(atLeast: Double) -> UInt64 {
    var power: UInt64 = 1
    while power <= 1_000_000_000 {
      for factor: UInt64 in [1, 2, 5] where Double(power * factor) >= atLeast {
        return power * factor
      }
      power *= 10
    }
    let second: UInt64 = 1_000_000_000
    let longer: [UInt64] = [
      10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
    ]
    for step in longer where Double(step * second) >= atLeast { return step * second }
    var days = 86_400 * second
    while Double(days) < atLeast, days < UInt64.max / 4 { days *= 2 }
    return days
  }
}
