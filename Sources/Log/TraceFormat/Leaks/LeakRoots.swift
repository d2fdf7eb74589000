/// The division of leaking subscriptions into roots and their consequences.
///
/// A subscription whose downstream subscription leaks too is a consequence: disposing the
/// downstream one would have ended it. So is a subscription that another leaking one keeps alive
/// (`KeptAlive`). This way, each mistake is found once.
package enum LeakRoots {
  /// A root and its consequences.
  package typealias Root = (root: Int, consequences: [Int])

  /// Divides subscriptions into roots and consequences.
  ///
  /// - Parameter found: Indices of subscriptions, each once.
  /// - Returns: The same indices as roots, in the given order.
  @inlinable
  package static func of<Facts: LeakFacts>(_ found: [Int], in facts: Facts) -> [Root] {
    var positions = [Int32](repeating: -1, count: found.isEmpty ? 0 : facts.count)
    for (position, index) in found.enumerated() { positions[index] = Int32(position) }
    let kept = facts.hasRetentions && !found.isEmpty ? KeptAlive(found, in: facts) : nil
    return of(found.count) { position in
      let index = found[position]
      if let parent = facts.parent(of: index), positions[parent] >= 0 {
        return Int(positions[parent])
      }
      return kept?.holder(of: index).flatMap { positions[$0] < 0 ? nil : Int(positions[$0]) }
    }.map { (found[$0.root], $0.consequences.map { found[$0] }) }
  }

  /// Divides items, each of which can be a consequence of another one.
  ///
  /// This takes linear time, regardless of the length of the chains. If damaged numbers form a
  /// cycle, its first member is the root.
  @inlinable
  package static func of(_ count: Int, parent: (Int) -> Int?) -> [Root] {
    let (unknown, walking) = (-1, -2)
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
}
