import TraceFormat

/// Something that a program has more of at the end of a time range than at its start.
package struct Increase: Equatable, Sendable {
  package enum Kind: Int, Sendable {
    case subscriptions, tasks
    /// Objects that nothing can reach any more, found in the time range.
    case leakedObjects
    /// Live instances of a class.
    case instances
  }

  package let kind: Kind
  /// The name of the lane or the class.
  package let name: String
  /// The place where the subscriptions were observed, or else made; `nil` if it is not known.
  package let place: String?
  /// The number that was added in the range and is still there at its end.
  package let count: Int
  /// The number of these that are still active at the end of the log; `nil` for objects, whose ends
  /// are not in the log.
  package let remaining: Int?
  /// The first of them; `nil` if the log has only their number.
  package let first: NumberInLog?

  /// Returns what grew, with lanes before objects and instances, and the highest numbers first.
  ///
  /// It looks at all subscriptions of the excerpt. Those that are declared to live until exit
  /// don't count.
  ///
  /// - Parameter includesInstances: A Boolean value that indicates whether to compare the numbers
  ///   of instances, which don't belong to a subscription.
  package static func found(
    in excerpt: LogExcerpt, _ range: TimeRange, includesInstances: Bool
  ) -> [Increase] {
    let all = lanes(in: excerpt, range)
    return all + (includesInstances ? instances(in: excerpt.log, range) : [])
  }

  // MARK: Subscriptions, tasks and leaked objects

  /// The numbers that subscriptions of the same lane and place share. There may be a million
  /// subscriptions, so their texts aren't compared.
  private struct SharedKey: Hashable {
    let site: ObjectIdentifier
    let log: Int32
    let observed: UInt32
    let kind: Kind
  }

  private struct Tally {
    let first: Int
    var count = 0
    var remaining = 0
  }

  private static func lanes(in excerpt: LogExcerpt, _ range: TimeRange) -> [Increase] {
    let log = excerpt.log
    var tallies: [SharedKey: Tally] = [:]
    for index in excerpt.members {
      let origin = log.lifecycles.origin(at: index)
      let activity = log.lifecycles.activity(at: index)
      guard range.contains(origin.start), !activity.livesUntilExit,
        activity.state == .active || origin.end > range.end.count
      else { continue }
      var count = 1
      if activity.isObject {
        let objects = log.logs[Int(activity.log)].objects[origin.id.number]
        guard let objects, objects.scope == nil else { continue }
        count = objects.objectCount
      }
      let key = SharedKey(
        site: ObjectIdentifier(origin.site.site), log: activity.log, observed: origin.observed,
        kind: activity.isObject ? .leakedObjects : activity.isTask ? .tasks : .subscriptions)
      tallies[key, default: Tally(first: index)].count += count
      if activity.state == .active { tallies[key]?.remaining += count }
    }
    return merged(tallies, in: log)
  }

  private struct Place: Hashable {
    let kind: Kind
    let lane: String
    let place: String?
  }

  /// Returns the growth of each lane and place. Several sites may have the same texts.
  private static func merged(_ tallies: [SharedKey: Tally], in log: LogAnalysis) -> [Increase] {
    var places: [Place: Tally] = [:]
    for (key, tally) in tallies {
      let lifecycle = log.lifecycles[tally.first]
      let source = log.observed(of: lifecycle)?.source ?? lifecycle.site.source
      let place = Place(kind: key.kind, lane: lifecycle.site.lane, place: source)
      let known = places[place]
      places[place] = Tally(
        first: min(tally.first, known?.first ?? tally.first),
        count: tally.count + (known?.count ?? 0),
        remaining: tally.remaining + (known?.remaining ?? 0))
    }
    let sorted = places.sorted { left, right in
      let isLeftObject = left.key.kind == .leakedObjects
      let isRightObject = right.key.kind == .leakedObjects
      guard isLeftObject == isRightObject else { return isRightObject }
      return (right.value.count, left.value.first) < (left.value.count, right.value.first)
    }
    return sorted.map { place, tally in
      let first = log.lifecycles[tally.first]
      return Increase(
        kind: place.kind, name: place.lane, place: place.place, count: tally.count,
        remaining: place.kind == .leakedObjects ? nil : tally.remaining,
        first: NumberInLog(log: Int(first.log), number: first.id.number))
    }
  }

  // MARK: Instances

  /// Returns the classes with more instances at the last count in the range than at the last one
  /// before it, or at the first one in it.
  private static func instances(in log: LogAnalysis, _ range: TimeRange) -> [Increase] {
    log.logs.indices.flatMap { number -> [Increase] in
      let one = log.logs[number]
      let moments = moments(of: one).filter { !range.endsBefore($0.time) }
      guard let last = moments.last, range.contains(last.time) else { return [] }
      let before = moments.last { $0.time < range.start } ?? moments.first
      guard let before, before.time < last.time else { return [] }
      return last.counts.compactMap { name, count -> Increase? in
        // A class that is missing from a cut list may have had instances.
        guard let old = before.counts[name] ?? (before.isCut ? nil : 0), count > old else {
          return nil
        }
        return Increase(
          kind: .instances, name: name, place: nil, count: count - old, remaining: nil, first: nil)
      }
    }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }

  private struct Moment {
    var time: Nanoseconds
    let scope: UInt64?
    var counts: [String: Int] = [:]

    var isCut: Bool { counts.count >= LeakedObjects.maxListed }
  }

  /// Returns the counts of a log by their times on the axis of all logs. Several records may be one
  /// count.
  private static func moments(of log: TraceLog) -> [Moment] {
    var moments: [Moment] = []
    for record in log.instances {
      if moments.last?.scope != record.scope || record.scope == nil {
        moments.append(Moment(time: .zero, scope: record.scope))
      }
      moments[moments.count - 1].time = record.time.after(log.offset)
      for known in record.classes where !known.name.isEmpty {
        moments[moments.count - 1].counts[known.name, default: 0] += known.count
      }
    }
    return moments
  }
}
