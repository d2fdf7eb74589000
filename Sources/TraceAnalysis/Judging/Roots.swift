/// The division of what a rule found into roots and their consequences.
///
/// A subscription whose downstream subscription is found too is a consequence: disposing the
/// downstream one would have ended it. So is a subscription that another one of those found keeps
/// alive (`KeptAlive`). This way, each mistake is found once.
struct Roots {
  /// A root and its consequences, as positions among what was found, in that order.
  typealias Root = (root: Int, consequences: [Int])

  /// Divides subscriptions.
  ///
  /// - Parameter found: Indices in `LogAnalysis.lifecycles`, each once.
  /// - Returns: The same indices as roots, in the given order.
  static func of(_ found: [Int], in log: LogAnalysis) -> [Root] {
    var positions = [Int32](repeating: -1, count: found.isEmpty ? 0 : log.lifecycles.count)
    for (position, index) in found.enumerated() { positions[index] = Int32(position) }
    let kept = KeptAlive(found, in: log)
    return of(found.count) { position in
      // The parent is a subscription of the same log, because numbers are counted by log.
      let parent = log.parent(of: log.lifecycles[found[position]])
      if let parent, positions[parent] >= 0 { return Int(positions[parent]) }
      return kept.holder(of: found[position]).flatMap {
        positions[$0] < 0 ? nil : Int(positions[$0])
      }
    }.map { (found[$0.root], $0.consequences.map { found[$0] }) }
  }

  /// Divides any things of which each may be due to another one.
  ///
  /// This takes linear time, however long the chains are. Where damaged numbers form a cycle, its
  /// first member is the root.
  static func of(_ count: Int, parent: (Int) -> Int?) -> [Root] {
    var roots = [Int](repeating: unknown, count: count)
    var chain: [Int] = []
    for start in 0..<count where roots[start] == unknown {
      var current = start
      var root = start
      while true {
        roots[current] = walking
        chain.append(current)
        guard let next = parent(current) else {
          root = current
          break
        }
        if roots[next] == walking {
          root = chain.drop { $0 != next }.min() ?? next
          break
        }
        if roots[next] != unknown {
          root = roots[next]
          break
        }
        current = next
      }
      for link in chain { roots[link] = root }
      chain.removeAll(keepingCapacity: true)
    }
    var consequences: [Int: [Int]] = [:]
    for index in 0..<count where roots[index] != index {
      consequences[roots[index], default: []].append(index)
    }
    return (0..<count).filter { roots[$0] == $0 }.map { ($0, consequences[$0] ?? []) }
  }

  private static let unknown = -1
  private static let walking = -2
}
