package import TraceAnalysis
package import TraceFormat
package import ViewerConsole

/// A formatter for times on the axis, with as many digits as necessary to distinguish neighbors.
package struct AxisText {
  private let page: Page
  /// A Boolean value that indicates whether times are shown as wall-clock times.
  private let showsClock: Bool
  /// The wall clock time at time 0, in nanoseconds since 1970, or `nil` if times count from the
  /// start.
  private let clock: Int?

  private static let second: UInt64 = 1_000_000_000
  private static let day = 86_400 * second

  /// Creates a formatter for wall-clock times.
  ///
  /// - Parameter clock: The time of the start of a log, in nanoseconds since 1970, if it is known.
  package init(_ page: Page, clock: Int?) {
    self.page = page
    showsClock = true
    self.clock = clock
  }

  /// Creates a formatter for times since the start of a log.
  package init(_ page: Page) {
    self.page = page
    showsClock = false
    clock = nil
  }

  /// The unit of the times.
  package var title: String {
    if showsClock { return clock == nil ? "clock unknown" : "UTC" }
    return ""
  }

  /// Returns the times that are round in the displayed format.
  package func ticks(_ scale: TimeScale, gap: Int) -> [TimeScale.Tick] {
    guard let clock else { return scale.ticks(gap: gap) }
    // All steps divide a day or are whole days.
    let phase = UInt64(((clock % Int(Self.day)) + Int(Self.day)) % Int(Self.day))
    let shifted = TimeScale(
      start: scale.start.after(phase), duration: scale.duration, columns: scale.columns,
      includesEnd: scale.includesEnd)
    return shifted.ticks(gap: gap).map { tick in
      TimeScale.Tick(time: tick.time.since(Nanoseconds(phase)), column: tick.column)
    }
  }

  package func name(of time: Nanoseconds, among ticks: [TimeScale.Tick]) -> String {
    let step = ticks.count > 1 ? ticks[1].time.since(ticks[0].time).count : 0
    return name(of: time, step: step)
  }

  /// Returns the text of a time.
  ///
  /// - Parameter step: The difference in nanoseconds that the text must show.
  package func name(of time: Nanoseconds, step: UInt64) -> String {
    if let clock { return clockName(clock, time, step) }
    if time == .zero { return "0" }
    // Three digits are enough if the step is not much smaller than the time itself.
    let isLong = time.count >= 3600 * Self.second
    if !isLong, step == 0 || step >= Self.second || time.count / step < 100 {
      return page.duration(time)
    }
    return isLong ? hours(time, step) : seconds(time, step)
  }

  /// Returns the texts of the times of a range, such as `0.252 s` and `0.252001 s`, with the digits
  /// that distinguish them.
  package func range(
    from start: Nanoseconds, to end: Nanoseconds
  ) -> (start: String, end: String) {
    let step = max(1, end.since(start).count)
    return (name(of: start, step: step), name(of: end, step: step))
  }

  /// Returns the texts of times in a column: all in the same unit and with the same digits, so that
  /// they are easy to compare, and with enough digits to distinguish neighbors.
  ///
  /// - Parameter times: The times in ascending order, of which those in `shown` are visible.
  package func column(of times: [Nanoseconds], shown: Range<Int>) -> [String] {
    let steps = zip(times.dropFirst(), times).map { $0.since($1).count }.filter { $0 > 0 }
    guard let last = shown.last.map({ times[$0] }) else { return [] }
    let unit = Self.units(page.glyphs.isASCII).last { last.count >= $0.size }
    // Three digits if neighbors are far apart, as in other texts of times.
    let step = min(steps.min() ?? .max, max(1, (unit?.size ?? 1) / 1000))
    return times[shown].map { time in
      if let clock { return clockName(clock, time, step) }
      guard let unit else { return "\(time.count) ns" }
      if unit.size == Self.second, last.count >= 3600 * Self.second { return hours(time, step) }
      return "\(number(time.count, step, of: unit.size)) \(unit.name)"
    }
  }

  private static func units(_ isASCII: Bool) -> [(size: UInt64, name: String)] {
    [(1000, isASCII ? "us" : "µs"), (1_000_000, "ms"), (second, "s")]
  }

  /// Returns text such as `4.123456 s`: seconds with the decimals that the step needs.
  private func seconds(_ time: Nanoseconds, _ step: UInt64) -> String {
    "\(number(time.count, step, of: Self.second)) s"
  }

  /// Returns text such as `1 h`, `26:05 h` or `1:02:03.5 h`, with the precision of the step.
  private func hours(_ time: Nanoseconds, _ step: UInt64) -> String {
    let isInMinutes = step >= 60 * Self.second
    let digit = isInMinutes ? 60 * Self.second : Self.lastDigit(step, of: Self.second)
    let rounded = Self.round(time.count, to: digit)
    let seconds = rounded / Self.second
    let hours = "\(seconds / 3600)"
    if step == 0 || step >= 3600 * Self.second, seconds % 3600 == 0 { return "\(hours) h" }
    let minutes = "\(hours):\(Self.two(seconds / 60 % 60))"
    if isInMinutes { return "\(minutes) h" }
    return "\(minutes):\(Self.two(seconds % 60))\(decimals(rounded, digit, of: Self.second)) h"
  }

  /// Returns a time in units of a size, with the decimals that the step needs.
  private func number(_ time: UInt64, _ step: UInt64, of size: UInt64) -> String {
    let digit = Self.lastDigit(step, of: size)
    let rounded = Self.round(time, to: digit)
    return "\(rounded / size)\(decimals(rounded, digit, of: size))"
  }

  /// Returns the value of the last digit that a step needs: a unit of a size, or a decimal fraction
  /// of it.
  private static func lastDigit(_ step: UInt64, of size: UInt64) -> UInt64 {
    guard step > 0 else { return size }
    var digit = size
    while digit > step, digit > 1 { digit /= 10 }
    return digit
  }

  /// Rounds to the nearest multiple of a digit, as `DurationText` does.
  private static func round(_ time: UInt64, to digit: UInt64) -> UInt64 {
    let rest = time % digit
    return rest < digit - rest ? time - rest : Nanoseconds(time).after(digit - rest).count
  }

  /// Returns a point and the digits of a time after a unit of a size, up to the last one.
  private func decimals(_ time: UInt64, _ lastDigit: UInt64, of size: UInt64) -> String {
    guard lastDigit < size else { return "" }
    let count = "\(size / lastDigit)".utf8.count - 1
    return "." + String(size + time % size).dropFirst().prefix(count)
  }

  private static func two(_ number: UInt64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// Returns text such as `23:48:50.1`, or a date if steps are days.
  private func clockName(_ clock: Int, _ time: Nanoseconds, _ step: UInt64) -> String {
    let (moment, overflows) = clock.addingReportingOverflow(Int(clamping: time.count))
    guard !overflows else { return page.duration(time) }
    let seconds = Int(Self.second)
    let whole = (moment - ((moment % seconds) + seconds) % seconds) / seconds
    let digit = Self.lastDigit(step == 0 ? 1_000_000 : step, of: Self.second)
    let isDate = step >= Self.day
    // A second before midnight still belongs to its day.
    let fraction = isDate ? 0 : Self.round(UInt64(moment - whole * seconds), to: digit)
    // 2026-11-20T23:48:50.123456789Z
    let text = RFC3339.text(
      secondsSince1970: whole + Int(fraction / Self.second),
      nanoseconds: Int(fraction % Self.second))
    guard let t = text.firstIndex(of: "T") else { return text }
    if isDate { return String(text[..<t]) }
    let clockTime = text[text.index(after: t)...].prefix(8)
    return clockTime + decimals(fraction, digit, of: Self.second)
  }
}
