import TerminalUI
import TraceAnalysis
import TraceFormat

/// The rows of a timeline: lanes, or what else subscriptions are grouped by, and the subscriptions of each in rows in
/// which none covers another.
///
/// It does not depend on which stretch of time is looked at, so bars keep their rows however far one zooms.
struct TimelineRows: Sendable {
  struct Lane: Sendable {
    /// What it is called by, also in a later state of the log: the names above it and its own.
    let key: [String]
    let name: String
    let depth: Int
    let parent: Int?
    /// Places in `LogAnalysis.lifecycles`, in the order of their beginnings.
    let members: [Int]
    /// Members that do not overlap, a list a row.
    let rows: [[Int]]
    /// Members that found no row.
    let overflow: [Int]
    let population: Population
    /// Of the members that found no row.
    let overflowPopulation: Population
    var hasChildren = false
    /// Of a group of lanes, which has no members of its own: theirs, in the order of their beginnings.
    var below: [Int] = []
    var leaks = 0

    /// Its own subscriptions, or those of its lanes where it is a group.
    var listed: [Int] { members.isEmpty ? below : members }
  }

  private(set) var lanes: [Lane] = []
  /// The lane and row of each subscription; the row is that of the overflow where it has none. Nil for those left out.
  private var places: [Int32] = []
  private var rowOf: [Int16] = []
  private var laneOf: [[String]: Int] = [:]

  /// How wide the widest label is, with what stands before the name.
  private(set) var labelColumns = 0

  /// Rows of bars that a lane may have.
  static let mostRows = 4

  static let empty = TimelineRows()

  private init() {}

  /// - Parameter suspects: places of subscriptions that are suspected leaks.
  init(
    _ excerpt: LogExcerpt, _ spans: LifeSpans, grouping: Grouping, order: ListOrder,
    suspects: Set<Int>
  ) {
    let log = excerpt.log
    let nodes = TimelineRowNodes(excerpt, grouping, order).nodes
    places = Array(repeating: -1, count: log.lifecycles.count)
    rowOf = Array(repeating: 0, count: log.lifecycles.count)
    for node in nodes {
      let number = lanes.count
      let members = spans.inOrder(node.members)
      let stack = BarStack(members, spans, rows: TimelineRows.mostRows)
      for index in members {
        places[index] = Int32(clamping: number)
        rowOf[index] = Int16(stack.rows.count)
      }
      for (row, list) in stack.rows.enumerated() {
        for index in list { rowOf[index] = Int16(row) }
      }
      if let parent = node.parent { lanes[parent].hasChildren = true }
      lanes.append(
        Lane(
          key: (node.parent.map { lanes[$0].key } ?? []) + [node.name], name: node.name,
          depth: node.depth, parent: node.parent, members: members, rows: stack.rows,
          overflow: stack.overflow, population: Population(members, spans),
          overflowPopulation: Population(stack.overflow, spans),
          leaks: members.count { suspects.contains($0) }))
    }
    gatherGroups(spans)
    laneOf = Dictionary(
      lanes.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    labelColumns =
      lanes.lazy.map { DisplayWidth.columns(of: SafeText.make($0.name)) + $0.depth * 2 + 7 }.max()
      ?? 0
  }

  private mutating func gatherGroups(_ spans: LifeSpans) {
    for number in lanes.indices where lanes[number].members.isEmpty {
      let below = lanes[(number + 1)...].prefix { $0.depth > lanes[number].depth }
      lanes[number].below = spans.inOrder(below.flatMap(\.members))
    }
  }

  /// Where a subscription is drawn.
  func place(of index: Int) -> (lane: Int, row: Int)? {
    guard places.indices.contains(index), places[index] >= 0 else { return nil }
    return (Int(places[index]), Int(rowOf[index]))
  }

  /// How many of all that is shown are alive at a time.
  func alive(at time: Nanoseconds) -> Int {
    lanes.reduce(0) { $0 + $1.population.alive(at: time) }
  }

  func lane(of key: [String]) -> Int? { laneOf[key] }

  /// A line of the timeline.
  struct Item: Equatable, Sendable {
    let lane: Int
    /// The row of bars; one more than there are is that of the overflow.
    let row: Int
  }

  /// The lines of all lanes but those that are folded into the ones above them.
  ///
  /// - Parameter folded: keys of lanes that are shown in one line, without those below them.
  func items(folded: Set<[String]>) -> [Item] {
    var items: [Item] = []
    var hiddenBelow: Int?
    for (number, lane) in lanes.enumerated() {
      if let depth = hiddenBelow, lane.depth > depth { continue }
      hiddenBelow = nil
      let isFolded = folded.contains(lane.key)
      if isFolded { hiddenBelow = lane.depth }
      let rows = lane.rows.count + (lane.overflow.isEmpty ? 0 : 1)
      for row in 0..<(isFolded ? 1 : max(1, rows)) { items.append(Item(lane: number, row: row)) }
    }
    return items
  }
}
