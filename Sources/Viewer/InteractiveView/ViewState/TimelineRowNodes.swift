import TraceAnalysis
import TraceFormat
import TraceWords

/// The groups of subscriptions in a timeline, with parents before their children.
struct TimelineRowNodes {
  struct Node {
    let name: String
    var depth: Int
    var parent: Int?
    var members: MemberList
    /// The names of the ancestors of a pinned lane where it would be otherwise.
    var origin: [String] = []
    var isPinned = false
  }

  private(set) var nodes: [Node] = []

  init(_ excerpt: LogExcerpt, _ grouping: Grouping, _ order: ListOrder, pinned: [String] = []) {
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
      let sorted = ranking.sort(numbers) { number in
        (tree.nodes[number].lane, ranking.rank(tree.nodes[number].members))
      }
      stack += sorted.reversed().map { ($0, parent) }
    }
    push(children[nil] ?? [], under: nil)
    while let (number, parent) = stack.popLast() {
      let node = tree.nodes[number]
      nodes.append(Node(name: node.lane, depth: node.depth, parent: parent, members: node.members))
      push(children[number] ?? [], under: nodes.count - 1)
    }
  }

  /// Adds lanes under the property that they share.
  private mutating func addGroups(_ excerpt: LogExcerpt, _ grouping: Grouping, _ order: ListOrder) {
    let ranking = LaneRanking(order, excerpt.log)
    let groups = LaneGroups(excerpt, grouping).groups.map { group in
      (group: group, ranks: group.lanes.map { ranking.rank($0.members) })
    }
    for (group, ranks) in ranking.sort(groups, by: { ($0.group.name, ranking.joined($0.ranks)) }) {
      let parent = nodes.count
      nodes.append(Node(name: group.name, depth: 0, parent: nil, members: []))
      for (lane, _) in ranking.sort(Array(zip(group.lanes, ranks)), by: { ($0.0.name, $0.1) }) {
        nodes.append(Node(name: lane.name, depth: 1, parent: parent, members: lane.members))
      }
    }
  }
}

/// The lanes of an excerpt under a property that their subscriptions share. Groups and lanes are in
/// the order in which they first appear.
private struct LaneGroups {
  struct Lane {
    let name: String
    var members: MemberList = []
  }

  struct Group {
    let name: String
    var lanes: [Lane] = []
    var laneOf: [String: Int] = [:]
  }

  /// The properties that determine the group and the lane. Their names are made only once for each
  /// key, because that takes much longer than a look at a dictionary.
  private struct Key: Hashable {
    let site: ObjectIdentifier
    let log: Int32
    let number: UInt64?

    init(_ lifecycle: Lifecycle, _ grouping: Grouping) {
      site = ObjectIdentifier(lifecycle.site)
      log = lifecycle.log
      number =
        switch grouping {
        case .parent, .source, .process, .log: nil
        case .scope: lifecycle.scope
        case .thread: lifecycle.thread
        case .state: UInt64(lifecycle.state.rawValue)
        }
    }
  }

  private(set) var groups: [Group] = []
  private var groupOf: [String: Int] = [:]

  init(_ excerpt: LogExcerpt, _ grouping: Grouping) {
    var known: [Key: (group: Int, lane: Int)] = [:]
    for index in excerpt.members {
      let lifecycle = excerpt.log.lifecycles[index]
      let key = Key(lifecycle, grouping)
      let place: (group: Int, lane: Int)
      if let found = known[key] {
        place = found
      } else {
        let name = Self.name(of: lifecycle, grouping, excerpt.log)
        place = self.place(of: lifecycle.site.lane, in: name)
        known[key] = place
      }
      groups[place.group].lanes[place.lane].members.append(index)
    }
  }

  private mutating func place(of lane: String, in name: String) -> (group: Int, lane: Int) {
    let group = groupOf[name] ?? groups.count
    if group == groups.count {
      groupOf[name] = group
      groups.append(Group(name: name))
    }
    if let known = groups[group].laneOf[lane] { return (group, known) }
    let number = groups[group].lanes.count
    groups[group].laneOf[lane] = number
    groups[group].lanes.append(Lane(name: lane))
    return (group, number)
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
    case .log: log.logs[Int(lifecycle.log)].fileAndTitle
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
  func sort<Key>(_ keys: [Key], by content: (Key) -> (name: String, rank: Double)) -> [Key] {
    guard order != .time else { return keys }
    let ranked = keys.enumerated().map { offset, key in
      let (name, rank) = content(key)
      return (key: key, offset: offset, name: name, rank: rank)
    }
    return ranked.sorted { left, right in
      if order == .lane, left.name != right.name { return left.name < right.name }
      return (left.rank, left.offset) < (right.rank, right.offset)
    }.map(\.key)
  }

  /// Returns the rank of subscriptions together. A lower rank comes first.
  func rank(_ members: MemberList) -> Double {
    switch order {
    case .time, .lane: 0
    // The elements of a lane are added up. For other orders, the first of its subscriptions
    // determines the rank.
    case .elements: -Double(log.elements(of: members))
    case .life: log.greatestAge(of: members).map { -Double($0.count) } ?? .infinity
    case .state: log.smallestUrgency(of: members).map { Double($0) } ?? .infinity
    }
  }

  /// Returns the rank of several lists of subscriptions together.
  func joined(_ ranks: [Double]) -> Double {
    order == .elements ? ranks.reduce(0, +) : ranks.min() ?? .infinity
  }

  /// Sorts subscriptions that are in the order of their beginnings.
  func sort(_ members: MemberList) -> MemberList {
    guard order != .time else { return members }
    if order == .lane { return sortByLane(members) }
    let ranked = members.enumerated().map { offset, index in
      (rank: rank(log.lifecycles[index]), offset: offset, index: index)
    }
    return MemberList(ranked.sorted { ($0.rank, $0.offset) < ($1.rank, $1.offset) }.map(\.index))
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
