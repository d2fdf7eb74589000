import TraceFormat

/// The lanes that a view has room for.
package struct LaneSelection: Sendable {
  /// The chosen lanes, with parents before their children, in the order in which lanes first
  /// appear.
  package let nodes: [LaneTree.Node]
  package let hiddenLanes: Int
  package let hiddenSubscriptions: Int

  /// Chooses lanes, and prefers those with something to look at: an active subscription or a
  /// failure. It never chooses a lane without the lanes above it.
  ///
  /// - Parameter ranking: The names of lanes in order of preference. Lanes with these names are
  ///   chosen first, even if they have nothing to look at.
  package init(_ excerpt: LogExcerpt, limit: Int, ranking: [String]? = nil) {
    let log = excerpt.log
    let tree = LaneTree(excerpt)
    let order = tree.inOrder
    let isLoud = { (node: Int) in
      tree.nodes[node].members.contains {
        log.lifecycles[$0].state == .failed || log.lifecycles[$0].isUnexpectedlyActive
      }
    }
    var byInterest = order
    if let ranking {
      let ranks = Dictionary(
        ranking.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      let rank = { (node: Int) in ranks[tree.nodes[node].lane] ?? ranks.count }
      byInterest = order.enumerated().sorted {
        (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
      }.map(\.element)
    } else if order.count > limit {
      byInterest = order.filter(isLoud) + order.filter { !isLoud($0) }
    }
    var chosen: Set<Int> = []
    for first in byInterest where chosen.count < limit {
      var node: Int? = first
      while let current = node, chosen.insert(current).inserted {
        node = tree.nodes[current].parent
      }
    }
    nodes = order.filter { chosen.contains($0) }.map { tree.nodes[$0] }
    let hidden = order.filter { !chosen.contains($0) }
    hiddenLanes = hidden.count
    hiddenSubscriptions = hidden.reduce(0) { $0 + tree.nodes[$1].members.count }
  }
}
