import TraceAnalysis
import TraceFormat

/// What the shown subscriptions do over the whole log: counts in equal periods.
///
/// It has more periods than a screen has columns, so that it is made once for all widths.
struct ActivityOverview: Sendable {
  /// The counts in a part of the log.
  struct Part: Equatable, Sendable {
    /// The elements, beginnings and ends.
    var events = 0
    /// The maximum number of subscriptions that are alive at the beginning or at the end of a
    /// period; at least 1 if any is alive in between.
    var alive = 0
    var hasFailure = false
  }

  /// The time with the most events.
  struct Moment: Equatable, Sendable {
    let start: Nanoseconds
    /// The duration in nanoseconds, which is round.
    let duration: UInt64
    let events: Int
    /// The lane with the most of these events.
    var lane: Lane?

    struct Lane: Equatable, Sendable {
      let name: String
      var events: Int
      /// The subscription of the lane with the most events, as an index in the lifecycles.
      var subscription: Int
    }
  }

  /// The duration of a period in nanoseconds, which is round.
  let period: UInt64
  let events: Int
  let busiest: Moment?
  /// The subscription that lives longest, as an index in the lifecycles.
  let longest: Int?
  private let parts: [Part]

  /// The maximum number of periods.
  private static let maxCount: UInt64 = 4096

  /// - Parameter excerpt: The shown subscriptions, without leaked objects.
  init(_ excerpt: LogExcerpt, _ elements: ElementIndex) {
    let duration = excerpt.log.duration.count
    let period = Self.period(duration)
    let scale = TimeScale(
      duration: Nanoseconds(period.timesSaturating(duration / period + 1)),
      columns: Int(duration / period) + 1, includesEnd: false)
    var counts = [Int](repeating: 0, count: scale.columns)
    if excerpt.hasAllSubscriptions {
      elements.addAll(scale, to: &counts)
    } else {
      for index in excerpt.members { elements.add(index, scale, to: &counts) }
    }
    var parts = counts.map { Part(events: $0) }
    var changes = [Int](repeating: 0, count: scale.columns)
    var isAlive = [Bool](repeating: false, count: scale.columns)
    var longest: (index: Int, life: Nanoseconds)?
    let spans = LifeSpans(excerpt.log)
    for index in excerpt.members {
      let span = spans[index]
      let first = scale.column(of: span.start)
      parts[first].events += 1
      changes[first] += 1
      isAlive[first] = true
      let life = span.last.since(span.start)
      if longest.map({ life > $0.life }) ?? true { longest = (index, life) }
      guard span.state != .active else { continue }
      let last = scale.column(of: span.last)
      parts[last].events += 1
      changes[last] -= 1
      if span.state == .failed { parts[last].hasFailure = true }
    }
    var alive = 0
    for column in parts.indices {
      let before = alive
      alive += changes[column]
      parts[column].alive = max(before, alive, isAlive[column] ? 1 : 0)
    }
    self.period = period
    self.parts = parts
    self.longest = longest?.index
    events = parts.reduce(0) { $0 + $1.events }
    busiest = Self.busiest(parts, period, duration).map { moment in
      var moment = moment
      moment.lane = Self.lane(in: moment, excerpt, spans, elements)
      return moment
    }
  }

  /// Returns the lane with the most events in a moment.
  private static func lane(
    in moment: Moment, _ excerpt: LogExcerpt, _ spans: LifeSpans, _ elements: ElementIndex
  ) -> Moment.Lane? {
    let times = TimeRange(from: moment.start, before: moment.start.after(moment.duration))
    var lanes: [String: (events: Int, most: Int, subscription: Int)] = [:]
    for index in excerpt.members {
      let span = spans[index]
      guard !times.endsBefore(span.start), span.last >= times.start else { continue }
      var count = elements.count(of: index, from: times.start, before: times.end)
      if span.start >= times.start { count += 1 }
      if span.state != .active, !times.endsBefore(span.last) { count += 1 }
      guard count > 0 else { continue }
      var lane = lanes[excerpt.log.lifecycles[index].site.lane] ?? (0, 0, index)
      lane.events += count
      if count > lane.most { (lane.most, lane.subscription) = (count, index) }
      lanes[excerpt.log.lifecycles[index].site.lane] = lane
    }
    // Of equal lanes, the one that comes first in the log.
    let busiest = lanes.max { left, right in
      (left.value.events, right.value.subscription)
        < (right.value.events, left.value.subscription)
    }
    return busiest.map {
      Moment.Lane(name: $0.key, events: $0.value.events, subscription: $0.value.subscription)
    }
  }

  /// Returns the counts in the columns of a scale.
  func parts(over scale: TimeScale) -> [Part] {
    var columns = [Part](repeating: Part(), count: scale.columns)
    for (number, part) in parts.enumerated() {
      let time = Nanoseconds(UInt64(number) * period)
      guard time >= scale.start, time < scale.times.end else { continue }
      let column = scale.column(of: time)
      columns[column].events += part.events
      columns[column].alive = max(columns[column].alive, part.alive)
      columns[column].hasFailure = columns[column].hasFailure || part.hasFailure
    }
    return columns
  }

  private static func period(_ duration: UInt64) -> UInt64 {
    var power: UInt64 = 1
    while true {
      for factor: UInt64 in [1, 2, 5] where duration / (power * factor) < maxCount {
        return power * factor
      }
      power *= 10
    }
  }

  /// Returns the second with the most events, or a shorter time if the log is shorter than ten
  /// seconds, or a period if that is longer. It begins with the first of the events.
  private static func busiest(_ parts: [Part], _ period: UInt64, _ duration: UInt64) -> Moment? {
    var span: UInt64 = 1_000_000_000
    while span > duration / 10, span > 1 { span /= 10 }
    span = max(span, period)
    let width = Int(span / period)
    var (events, best) = (0, (end: 0, events: 0))
    for (index, part) in parts.enumerated() {
      events += part.events
      if index >= width { events -= parts[index - width].events }
      if events > best.events { best = (index, events) }
    }
    guard let first = parts[max(0, best.end - width + 1)...].firstIndex(where: { $0.events > 0 })
    else { return nil }
    return Moment(
      start: Nanoseconds(UInt64(first) * period), duration: span, events: best.events)
  }
}
