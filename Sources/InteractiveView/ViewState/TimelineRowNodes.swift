import TraceAnalysis
import TraceFormat
import TraceWords

/// The groups of subscriptions in a timeline, with parents before their children.
struct TimelineRowNodes {
  struct Node {
    let name: String
    var depth: Int
    var parent: Int?
    var members: [Int]
    /// The names of the ancestors of a pinned lane where it would be otherwise.
    var origin: [String] = []
    var isPinned = false
  }

  private(set) var nodes: [Node] = []

  init(
    _ excerpt: LogExcerpt, _ grouping: Grouping, _ order: ListOrder, pinned: [String] = []
  ) {
    if grouping == .parent {
      addTree(LaneTree(excerpt), order, excerpt.log)
    } else {
      addGroups(excerpt, grouping, order)
    }
    if !pinned.isEmpty { pin(pinned) }
  }

  /// Moves lanes to the top, with the lanes below them, in the order in which they were pinned.
  private mutating func pin(_ names: [String]) {
    let ranks = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    // The pinned lane that each node belongs to, and its rank.
    var roots: [(node: Int, rank: Int)?] = []
    for (number, node) in nodes.enumerated() {
      let rank = node.members.isEmpty ? nil : ranks[node.name]
      roots.append(rank.map { (number, $0) } ?? node.parent.flatMap { roots[$0] })
    }
    guard roots.contains(where: { $0 != nil }) else { return }
    let order = nodes.indices.sorted { left, right in
      let (first, second) = (roots[left], roots[right])
      return (first?.rank ?? .max, first?.node ?? 0, left)
        < (second?.rank ?? .max, second?.node ?? 0, right)
    }
    var places = Array(repeating: 0, count: nodes.count)
    for (place, number) in order.enumerated() { places[number] = place }
    let old = nodes
    nodes = order.map { number in
      var node = old[number]
      let root = roots[number]?.node
      node.depth -= root.map { old[$0].depth } ?? 0
      node.parent = root == number ? nil : node.parent.map { places[$0] }
      if root == number {
        node.isPinned = true
        var above = old[number].parent
        while let parent = above {
          node.origin.insert(old[parent].name, at: 0)
          above = old[parent].parent
        }
      }
      return node
    }
  }

  /// Adds lanes under their parent lanes. The children of each parent are sorted among themselves.
  private mutating func addTree(_ tree: LaneTree, _ order: ListOrder, _ log: LogAnalysis) {
    var children: [Int?: [Int]] = [:]
    for number in tree.inOrder { children[tree.nodes[number].parent, default: []].append(number) }
    let ranking = LaneRanking(order, log)
    var stack: [(number: Int, parent: Int?)] = []
    func push(_ numbers: [Int], under parent: Int?) {
      let sorted = ranking.sort(numbers) { (tree.nodes[$0].lane, tree.nodes[$0].members) }
      stack += sorted.reversed().map { ($0, parent) }
    }
    push(children[nil] ?? [], under: nil)
    while let (number, parent) = stack.popLast() {
      let node = tree.nodes[number]
      nodes.append(
        Node(name: node.lane, depth: node.depth, parent: parent, members: node.members))
      push(children[number] ?? [], under: nodes.count - 1)
    }
  }

  /// Adds lanes under the property that they share.
  private mutating func addGroups(
    _ excerpt: LogExcerpt, _ grouping: Grouping, _ order: ListOrder
  ) {
    let log = excerpt.log
    var names: [String] = []
    var groups: [String: [Int]] = [:]
    for index in excerpt.members {
      let name = TimelineRowNodes.name(of: log.lifecycles[index], grouping, log)
      if groups[name] == nil { names.append(name) }
      groups[name, default: []].append(index)
    }
    let ranking = LaneRanking(order, log)
    for name in ranking.sort(names, by: { ($0, groups[$0] ?? []) }) {
      let parent = nodes.count
      nodes.append(Node(name: name, depth: 0, parent: nil, members: []))
      var lanes: [String] = []
      var members: [String: [Int]] = [:]
      for index in groups[name] ?? [] {
        let lane = log.lifecycles[index].site.lane
        if members[lane] == nil { lanes.append(lane) }
        members[lane, default: []].append(index)
      }
      for lane in ranking.sort(lanes, by: { ($0, members[$0] ?? []) }) {
        nodes.append(Node(name: lane, depth: 1, parent: parent, members: members[lane] ?? []))
      }
    }
  }

  private static func name(
    of lifecycle: Lifecycle, _ grouping: Grouping, _ log: LogAnalysis
  ) -> String {
    switch grouping {
    case .parent: lifecycle.site.lane
    case .source: lifecycle.site.file ?? "source unknown"
    case .scope: log.scope(of: lifecycle)?.title ?? "no scope"
    case .thread: ThreadLabel.of(lifecycle, in: log)
    case .state: "\(lifecycle.state)"
    case .process: log.logs[Int(lifecycle.log)].header?.process ?? "process unknown"
    case .log: log.logs[Int(lifecycle.log)].title
    }
  }
}

/// A ranking of lanes by the subscriptions in them.
struct LaneRanking {
  private let order: ListOrder
  private let log: LogAnalysis

  init(_ order: ListOrder, _ log: LogAnalysis) {
    self.order = order
    self.log = log
  }

  /// Sorts keys and keeps the order of equal ones.
  func sort<Key>(_ keys: [Key], by content: (Key) -> (name: String, members: [Int])) -> [Key] {
    guard order != .time else { return keys }
    let ranked = keys.enumerated().map { offset, key in
      let (name, members) = content(key)
      return (key: key, offset: offset, name: name, rank: rank(members))
    }
    return ranked.sorted { left, right in
      if order == .lane, left.name != right.name { return left.name < right.name }
      return (left.rank, left.offset) < (right.rank, right.offset)
    }.map(\.key)
  }

  /// Returns the rank. A lower rank comes first.
  private func rank(_ members: some RandomAccessCollection<Int>) -> Double {
    switch order {
    case .time, .lane: 0
    // The elements of a lane are added up. For other orders, the first of its subscriptions
    // determines the rank.
    case .elements: members.reduce(0) { $0 + rank(log.lifecycles[$1]) }
    case .life, .state: members.lazy.map { rank(log.lifecycles[$0]) }.min() ?? .infinity
    }
  }

  /// Sorts subscriptions that are in the order of their beginnings.
  func sort(_ members: MemberList) -> MemberList {
    guard order != .time else { return members }
    if order == .lane { return sortByLane(members) }
    let ranked = members.enumerated().map { offset, index in
      (rank: rank(log.lifecycles[index]), offset: offset, index: index)
    }
    return MemberList(
      ranked.sorted { ($0.rank, $0.offset) < ($1.rank, $1.offset) }.map(\.index))
  }

  private func sortByLane(_ members: MemberList) -> MemberList {
    let sites = members.map { log.lifecycles[$0].site }
    // The lines of the timeline have one lane each, so only lists of several lanes are sorted.
    guard let first = sites.first, sites.contains(where: { $0.lane != first.lane }) else {
      return members
    }
    return MemberList(
      zip(sites, members).enumerated().sorted {
        ($0.element.0.lane, $0.offset) < ($1.element.0.lane, $1.offset)
      }.map(\.element.1))
  }

  private func rank(_ lifecycle: Lifecycle) -> Double {
    switch order {
    case .time, .lane: 0
    case .elements: -Double(lifecycle.elements)
    case .life: -Double(log.age(of: lifecycle).count)
    case .state: Double(lifecycle.urgency)
    }
  }
}
