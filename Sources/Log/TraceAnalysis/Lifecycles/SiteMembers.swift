import TraceFormat

/// The subscriptions of each lane that one process made at one source location.
enum SiteMembers {
  /// Returns groups of indices in `LogAnalysis.lifecycles`, the oldest first in each group. The
  /// groups are in the order in which their locations first appear.
  static func members(of log: LogAnalysis) -> [[Int]] {
    log.logs.flatMap { members(in: $0.members, of: log.lifecycles) }
  }

  /// Returns the groups of one log, whose subscriptions are consecutive.
  private static func members(in range: Range<Int>, of lifecycles: LifecycleList) -> [[Int]] {
    var slots = SiteSlots()
    var members: [[Int]] = []
    var latest: [Nanoseconds] = []
    // The groups whose order isn't that of the beginnings.
    var unordered: Set<Int> = []
    for index in range where lifecycles.activity(at: index).isOfLane {
      let origin = lifecycles.origin(at: index)
      let slot = slots.slot(of: origin.site.site)
      if slot == members.count {
        members.append([])
        latest.append(.zero)
      }
      members[slot].append(index)
      if origin.start < latest[slot] { unordered.insert(slot) }
      latest[slot] = origin.start
    }
    for slot in unordered {
      members[slot] = members[slot].map { (lifecycles.origin(at: $0).start, $0) }.sorted(by: <)
        .map(\.1)
    }
    return members
  }
}

/// A table that numbers the sites that it is asked for, from 0.
struct SiteSlots {
  /// The slot plus one by the number of the site, or 0.
  private var slots: [Int32] = []
  private var count: Int32 = 0

  /// Returns the slot of a site of a log. A new site gets the next slot.
  mutating func slot(of site: Site) -> Int {
    let number = site.number ?? 0
    if number < slots.count, slots[number] > 0 { return Int(slots[number]) - 1 }
    if number >= slots.count {
      slots.append(contentsOf: repeatElement(0, count: number + 1 - slots.count))
    }
    count += 1
    slots[number] = count
    return Int(count) - 1
  }
}
