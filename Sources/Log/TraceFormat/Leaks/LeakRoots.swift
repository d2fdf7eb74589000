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

/// The facts that a verdict about leaks needs about the subscriptions of a process or of its logs.
///
/// The recorder has these facts about live subscriptions, and the analysis has them about the
/// subscriptions of logs. Both use the same verdict, so a leak check and `trace-viewer check`
/// agree.
@usableFromInline
package protocol LeakFacts {
  /// The number of subscriptions. Their indices are `0..<count`.
  var count: Int { get }
  /// A Boolean value that indicates whether the reason why a subscription is alive is known for any
  /// of them.
  var hasRetentions: Bool { get }

  /// Returns the index of the subscription that another one was made for, or nil if there isn't one
  /// or if it is unknown.
  func parent(of index: Int) -> Int?
  /// Returns what keeps a subscription alive, or nil if unknown.
  func retention(of index: Int) -> Retention?
  /// Returns the index of the subscription with an ID in the log of another one.
  func index(of id: SubscriptionID, inLogOf index: Int) -> Int?
  /// Returns the number of the log of a subscription.
  func log(of index: Int) -> Int
  /// Returns the place where a subscription was observed, such as `Module/File.swift:26`.
  func observedSource(of index: Int) -> String?
}

/// The subscriptions that another leaking subscription keeps alive, according to the process's own
/// search.
///
/// An observer that leaks retains its source and everything that its closure captures. Other
/// subscriptions among those end as soon as that one does, so they aren't separate mistakes. Two
/// facts show that: the path to a subscription leads through the other one, or one closure keeps
/// both alive, and the other one was observed where that closure is.
@usableFromInline
struct KeptAlive {
  /// The facts about the subscriptions.
  private let facts: any LeakFacts
  /// Whether each subscription leaks, by its index.
  private let isFound: [Bool]
  /// The subscriptions that were observed nearest to a closure to change, by that closure.
  private let nearest: [Closure: Nearest]

  /// A closure of the user that keeps subscriptions of a log alive.
  private struct Closure: Hashable {
    let log: Int
    let site: String
  }

  private struct Nearest {
    let place: String
    let distance: Int
    /// The subscriptions that were observed at the place, in ascending order.
    var members: [Int]
  }

  /// - Parameter found: The indices of the leaking subscriptions, each once.
  @usableFromInline
  init(_ found: [Int], in facts: any LeakFacts) {
    self.facts = facts
    var isFound = [Bool](repeating: false, count: facts.count)
    for index in found { isFound[index] = true }
    self.isFound = isFound
    var nearest: [Closure: Nearest] = [:]
    for index in found {
      guard let closure = KeptAlive.closure(of: index, in: facts),
        let place = facts.observedSource(of: index),
        let distance = KeptAlive.distance(from: place, to: closure.site)
      else { continue }
      if let known = nearest[closure], known.distance <= distance {
        if known.place == place { nearest[closure]?.members.append(index) }
        continue
      }
      nearest[closure] = Nearest(place: place, distance: distance, members: [index])
    }
    self.nearest = nearest.mapValues { nearest in
      Nearest(
        place: nearest.place, distance: nearest.distance, members: nearest.members.sorted())
    }
  }

  /// Returns the subscription that keeps another one alive, or nil if no leaking subscription does.
  @usableFromInline
  func holder(of index: Int) -> Int? {
    guard let retention = facts.retention(of: index) else { return nil }
    return holderOnPath(retention, to: index) ?? holderAtClosure(of: index)
  }

  /// Returns the last subscription on the path that leaks and wasn't made for the subscription
  /// itself.
  private func holderOnPath(_ retention: Retention, to index: Int) -> Int? {
    retention.steps.reversed().lazy
      .compactMap { step in step.subscription.flatMap { facts.index(of: $0, inLogOf: index) } }
      .first { holder in
        holder != index && isFound[holder] && !isMade(holder, for: index)
      }
  }

  /// Returns whether a subscription was made for another one, directly or indirectly.
  private func isMade(_ index: Int, for other: Int) -> Bool {
    var seen: Set<Int> = [index]
    var next = facts.parent(of: index)
    while let current = next, seen.insert(current).inserted {
      if current == other { return true }
      next = facts.parent(of: current)
    }
    return false
  }

  /// Returns the subscription whose closure is on the cycle of another one that was observed
  /// elsewhere.
  private func holderAtClosure(of index: Int) -> Int? {
    guard let closure = KeptAlive.closure(of: index, in: facts), let nearest = nearest[closure],
      nearest.place != facts.observedSource(of: index)
    else { return nil }
    // If there are several instances, the next one most likely has the same owner.
    return nearest.members.first { $0 > index } ?? nearest.members.last
  }

  private static func closure(of index: Int, in facts: any LeakFacts) -> Closure? {
    guard let retention = facts.retention(of: index), retention.isCycle,
      let site = retention.breakStep?.site
    else { return nil }
    return Closure(log: facts.log(of: index), site: site)
  }

  /// Returns the number of lines between a place and a closure in the same file.
  private static func distance(from place: String, to site: String) -> Int? {
    let (place, site) = (SourceText(place), SourceText(site))
    guard place.file == site.file, let first = place.line, let second = site.line else {
      return nil
    }
    return abs(first - second)
  }
}
