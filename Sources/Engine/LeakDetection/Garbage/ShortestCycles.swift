/// The shortest cycles of a graph.
///
/// The numbers of nodes and the order of their edges come from addresses, which change from run to
/// run. So of equally short cycles, the one whose labels come first is found.
struct ShortestCycles {
  struct Edge {
    let target: Int
    /// Cycles with the same labels are the same for users, and as long.
    let label: Int
  }

  private struct Visit {
    var distance: Int
    /// The number of edges on the path to the node.
    var count: Int
    /// The last edge on that path.
    var source: Int
    var edge: Int
  }

  private let edges: [[Edge]]
  private let weights: [Int]
  private let maxWeight: Int
  private var visits: [Visit?]
  /// The number of edges that may still be visited before a search fails.
  var visitsLeft = Int.max

  /// - Parameters:
  ///   - edges: The edges that begin at each node.
  ///   - weights: The length of each edge to a node, which is at least 1.
  init(_ edges: [[Edge]], weights: [Int]) {
    self.edges = edges
    self.weights = weights
    maxWeight = weights.max() ?? 1
    visits = Array(repeating: nil, count: edges.count)
  }

  /// A cycle as the edges with which it leaves its nodes.
  struct Cycle {
    var steps: [(node: Int, edge: Int)] = []
    var labels: [Int] = []
    var length = 0

    /// Returns whether the cycle is shorter than another one, or as long with labels before those
    /// of the other one.
    func precedes(_ other: Cycle) -> Bool {
      length == other.length
        ? labels.lexicographicallyPrecedes(other.labels) : length < other.length
    }
  }

  /// Returns the shortest cycle through a node, which begins there, or nil if there isn't one.
  ///
  /// - Parameters:
  ///   - limit: The maximum length of the cycle.
  ///   - isIncluded: Returns whether the cycle may have an edge.
  mutating func cycle(
    through start: Int, limit: Int, where isIncluded: (_ source: Int, _ edge: Int) -> Bool
  ) -> Cycle? {
    var visited: [Int] = []
    defer { for node in visited { visits[node] = nil } }
    // The end of the cycle isn't its start, whose distance is 0.
    var end: Visit?
    // The nodes by their distances. No other distance is in use at the same time.
    var buckets = [[Int]](repeating: [], count: maxWeight + 1)
    buckets[0] = [start]
    var open = 1
    var distance = 0
    while open > 0, distance <= limit, visitsLeft > 0 {
      let bucket = distance % buckets.count
      let current = buckets[bucket]
      buckets[bucket] = []
      open -= current.count
      if let end, end.distance == distance { return cycle(through: start, end) }
      for node in current where node == start || visits[node]?.distance == distance {
        let count = (node == start ? 0 : visits[node]?.count ?? 0) + 1
        visitsLeft -= edges[node].count
        for index in edges[node].indices where isIncluded(node, index) {
          let target = edges[node][index].target
          let next = Visit(
            distance: distance + weights[target], count: count, source: node, edge: index)
          let known = target == start ? end : visits[target]
          if let known {
            guard
              next.distance < known.distance
                || next.distance == known.distance && precedes(next, known, from: start)
            else { continue }
          }
          if target == start {
            end = next
          } else {
            if known == nil { visited.append(target) }
            visits[target] = next
          }
          if known?.distance != next.distance {
            buckets[next.distance % buckets.count].append(target)
            open += 1
          }
        }
      }
      distance += 1
    }
    return nil
  }

  private func label(_ visit: Visit) -> Int { edges[visit.source][visit.edge].label }

  /// Returns whether the labels of a path come before those of another one that is as long and has
  /// the same end.
  private func precedes(_ left: Visit, _ right: Visit, from start: Int) -> Bool {
    var (first, second): (Visit?, Visit?) = (left, right)
    var precedes = false
    while let left = first, let right = second {
      if left.count == right.count {
        let (own, other) = (label(left), label(right))
        // The first labels that differ decide, and come last here.
        if own != other { precedes = own < other }
        if left.source == right.source { break }
      }
      if left.count >= right.count { first = left.source == start ? nil : visits[left.source] }
      if right.count >= left.count { second = right.source == start ? nil : visits[right.source] }
    }
    return precedes
  }

  private func cycle(through start: Int, _ end: Visit) -> Cycle {
    var cycle = Cycle(length: end.distance)
    var next: Visit? = end
    while let visit = next {
      cycle.steps.append((visit.source, visit.edge))
      cycle.labels.append(label(visit))
      next = visit.source == start ? nil : visits[visit.source]
    }
    cycle.steps.reverse()
    cycle.labels.reverse()
    return cycle
  }
}
