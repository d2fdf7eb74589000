import TraceFormat

/// The subscriptions of each lane that one process made at one source location.
enum SiteMembers {
  private struct Key: Hashable {
    let log: Int32
    let site: ObjectIdentifier
  }

  /// Returns groups of indices in `LogAnalysis.lifecycles`, the oldest first in each group. The
  /// groups are in the order in which their locations first appear.
  static func members(of log: LogAnalysis) -> [[Int]] {
    var indices: [Key: Int] = [:]
    var members: [[Int]] = []
    for index in log.lifecycles.indices {
      let lifecycle = log.lifecycles[index]
      let key = Key(log: lifecycle.log, site: ObjectIdentifier(lifecycle.site))
      if let slot = indices[key] {
        members[slot].append(index)
      } else {
        indices[key] = members.count
        members.append([index])
      }
    }
    for slot in members.indices {
      members[slot].sort { (log.lifecycles[$0].start, $0) < (log.lifecycles[$1].start, $1) }
    }
    return members
  }
}
