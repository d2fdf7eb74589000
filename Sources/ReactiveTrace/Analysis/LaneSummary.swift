/// How the subscriptions of a lane fared.
package struct LaneSummary: Sendable {
  package var lane: String
  package var started = 0
  package var elements = 0
  /// The shortest, median and longest life of those that ended.
  package var lives: (shortest: Nanoseconds, median: Nanoseconds, longest: Nanoseconds)?
  private var byState = [Int](repeating: 0, count: Lifecycle.State.allCases.count)

  package subscript(state: Lifecycle.State) -> Int {
    byState[state.rawValue]
  }

  /// A line for each lane, in the order of a timeline: lanes below the lanes that they were made for.
  package static func lanes(of log: LogAnalysis) -> [LaneSummary] {
    let tree = LaneTree(log)
    var places: [String: Int] = [:]
    var members: [(lane: String, indices: [Int])] = []
    for node in tree.inOrder.lazy.map({ tree.nodes[$0] }) {
      if let place = places[node.lane] {
        members[place].indices += node.members
      } else {
        places[node.lane] = members.count
        members.append((node.lane, node.members))
      }
    }
    return members.map { LaneSummary(lane: $0.lane, $0.indices.lazy.map { log.lifecycles[$0] }) }
  }

  /// One line for all lanes together.
  package static func total(of log: LogAnalysis, name: String) -> LaneSummary {
    LaneSummary(lane: name, log.lifecycles)
  }

  package init(lane: String, _ lifecycles: some Sequence<Lifecycle>) {
    self.lane = lane
    var ended: [Nanoseconds] = []
    for lifecycle in lifecycles {
      started += 1
      elements += lifecycle.elements
      byState[lifecycle.state.rawValue] += 1
      if let life = lifecycle.life { ended.append(life) }
    }
    ended.sort()
    if let shortest = ended.first, let longest = ended.last {
      // Of an even number the lower of the two in the middle: a life that was really lived.
      lives = (shortest, ended[(ended.count - 1) / 2], longest)
    }
  }
}
