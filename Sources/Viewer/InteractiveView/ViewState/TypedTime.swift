import TraceAnalysis
import TraceFormat
import ViewerConsole

/// A time in a log as a person types it: `1.5s`, `350ms`, a part of the log such as `60%`, `+50ms`
/// and `-50ms` from the cursor, or the time of day in UTC, `12:01:03`.
enum TypedTime: Equatable {
  case time(Nanoseconds)
  /// A time that the log does not have, with a sentence that says so.
  case problem(String)

  private static let second = 1_000_000_000
  private static let day = 86_400 * second

  /// Returns `nil` for text that isn't a time.
  init?(
    _ text: String, in log: LogAnalysis, from cursor: Nanoseconds = .zero, _ duration: DurationText
  ) {
    if text.last == "%", let share = Double(text.dropLast()) {
      self =
        (0...100).contains(share)
        ? .time(QueryMoment.percent(share).time(in: log) ?? .zero)
        : .problem("Type a part of the log from 0% to 100%.")
      return
    }
    if let sign = text.first, "+-".contains(sign),
      let distance = TimeText.nanoseconds(String(text.dropFirst()))
    {
      let last = log.duration
      switch sign {
      case "+" where distance > last || cursor.after(distance.count) > last:
        self = .problem("The log ends at \(duration(last)).")
      case "+": self = .time(cursor.after(distance.count))
      case _ where distance > cursor:
        self = .problem("The cursor is only \(duration(cursor)) after the start of the log.")
      default: self = .time(Nanoseconds(cursor.count - distance.count))
      }
      return
    }
    if let time = TimeText.nanoseconds(text) {
      guard time > log.duration else {
        self = .time(time)
        return
      }
      self = .problem("The log ends at \(duration(log.duration)).")
      return
    }
    guard let timeOfDay = Self.timeOfDay(text) else { return nil }
    let starts = log.logs.compactMap {
      $0.header?.started.flatMap { RFC3339.nanoseconds(of: $0) }
    }
    guard let start = starts.min() else {
      self = .problem("The log does not say at which time of day it started.")
      return
    }
    let startOfDay = ((start % Self.day) + Self.day) % Self.day
    var offset = (timeOfDay - startOfDay + Self.day) % Self.day
    // The second in which the log started counts as its start.
    if offset > Self.day - Self.second { offset = 0 }
    guard UInt64(offset) <= log.duration.count else {
      self = .problem(
        "The log runs from \(Self.clock(start)) to "
          + "\(Self.clock(start + Int(clamping: log.duration.count))) UTC.")
      return
    }
    self = .time(Nanoseconds(UInt64(offset)))
  }

  /// Returns the nanoseconds since midnight of text such as `12:01` or `12:01:03.5`.
  private static func timeOfDay(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count),
      parts.prefix(2).allSatisfy({ (1...2).contains($0.utf8.count) }),
      let hours = UInt8(parts[0]), let minutes = UInt8(parts[1]), hours < 24, minutes < 60
    else { return nil }
    var nanoseconds = UInt64(0)
    if parts.count == 3 {
      guard let time = TimeText.nanoseconds(String(parts[2]) + "s"), time.count < 60 * second
      else { return nil }
      nanoseconds = time.count
    }
    return (Int(hours) * 3600 + Int(minutes) * 60) * second + Int(nanoseconds)
  }

  private static func clock(_ moment: Int) -> String {
    let text = RFC3339.text(secondsSince1970: moment / second, nanoseconds: 0)
    return String(text.drop { $0 != "T" }.dropFirst().prefix(8))
  }
}
