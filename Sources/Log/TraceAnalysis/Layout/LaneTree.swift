import TraceFormat

/// A tree of the lanes of a log. A lane is below the lane whose subscriptions its own subscriptions
/// were made for.
package struct LaneTree: Sendable {
  package struct Node: Sendable {
    package let lane: String
    package let depth: Int
    package let parent: Int?
    /// The indices of its subscriptions in `LogAnalysis.lifecycles`.
    package var members: MemberList = []
    var children: [Int] = []
  }

  package private(set) var nodes: [Node] = []
  private var roots: [Int] = []
  private var indices: [Key: Int] = [:]

  private struct Key: Hashable {
    let parent: Int?
    let lane: String
  }

  private struct SiteKey: Hashable {
    let parent: Int?
    let site: ObjectIdentifier
  }

  /// The maximum depth of the tree. Deeper lanes are side by side.
  package static let deepest = 6

  package init(_ log: LogAnalysis) {
    self.init(LogExcerpt(log))
  }

  /// Builds the tree of an excerpt.
  ///
  /// Subscriptions outside the excerpt have no node. A subscription made for one of them is below
  /// the next one above that is in the excerpt.
  package init(_ excerpt: LogExcerpt) {
    let log = excerpt.log
    // The node of each subscription. For a subscription outside the excerpt, it is the node above.
    // -1 means that it isn't known yet, -2 that the walk is on the way to its parent, and -3 that
    // the subscription has no node above it.
    var nodeOf = [Int32](repeating: -1, count: log.lifecycles.count)
    // Many subscriptions share a few sites. Most don't have a parent, and their nodes are found by
    // the number of the site, without the dictionary.
    var known: [SiteKey: Int] = [:]
    var rootOf: [Int32] = []
    var path: [Int] = []
    for first in excerpt.members {
      var current: Int? = first
      while let index = current, nodeOf[index] == -1 {
        nodeOf[index] = -2
        path.append(index)
        current = log.parent(ofIndex: index)
      }
      // Parents that form a cycle do not have a root. The walk ends when it reaches its own path.
      var above = current.flatMap { nodeOf[$0] >= 0 ? Int(nodeOf[$0]) : nil }
      while let index = path.popLast() {
        guard excerpt.contains(index) else {
          nodeOf[index] = above.map { Int32(clamping: $0) } ?? -3
          continue
        }
        let site = log.lifecycles.origin(at: index).site.site
        let node: Int
        if above == nil, let number = site.number {
          if number >= rootOf.count {
            rootOf += repeatElement(-1, count: number + 1 - rootOf.count)
          }
          if rootOf[number] < 0 {
            rootOf[number] = Int32(clamping: self.node(of: site.lane, under: nil))
          }
          node = Int(rootOf[number])
        } else {
          let key = SiteKey(parent: above, site: ObjectIdentifier(site))
          node = known[key] ?? self.node(of: site.lane, under: above)
          known[key] = node
        }
        nodeOf[index] = Int32(clamping: node)
        above = node
      }
    }
    for index in excerpt.members {
      nodes[Int(nodeOf[index])].members.append(index)
    }
  }

  /// All nodes, with parents before their children, in the order in which lanes first appear.
  package var inOrder: [Int] {
    var order: [Int] = []
    var stack = Array(roots.reversed())
    while let node = stack.popLast() {
      order.append(node)
      stack.append(contentsOf: nodes[node].children.reversed())
    }
    return order
  }

  /// Each lane once, with all its subscriptions, even if it occurs several times in the tree.
  package var lanes: [(lane: String, members: [Int])] {
    var indices: [String: Int] = [:]
    var lanes: [(lane: String, members: [Int])] = []
    for node in inOrder.lazy.map({ nodes[$0] }) {
      if let index = indices[node.lane] {
        lanes[index].members += node.members
      } else {
        indices[node.lane] = lanes.count
        lanes.append((node.lane, Array(node.members)))
      }
    }
    return lanes
  }

  private mutating func node(of lane: String, under above: Int?) -> Int {
    // A lane below itself, at any depth, is the same lane again: a signal that feeds itself, or a
    // retry.
    var ancestor = above
    while let node = ancestor {
      if nodes[node].lane == lane { return node }
      ancestor = nodes[node].parent
    }
    var above = above
    while let node = above, nodes[node].depth >= LaneTree.deepest { above = nodes[node].parent }
    let key = Key(parent: above, lane: lane)
    if let known = indices[key] { return known }
    let new = nodes.count
    indices[key] = new
    nodes.append(Node(lane: lane, depth: above.map { nodes[$0].depth + 1 } ?? 0, parent: above))
    if let above { nodes[above].children.append(new) } else { roots.append(new) }
    return new
  }
}
