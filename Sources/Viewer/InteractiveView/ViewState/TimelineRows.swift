import TerminalUI
import TraceAnalysis
import TraceFormat

/// The rows of a timeline: lanes or other groups of subscriptions, with the subscriptions of each
/// packed into rows without overlap.
///
/// The rows do not depend on the visible time range, so bars keep their rows at every zoom level.
struct TimelineRows: Sendable {
  struct Lane: Sendable {
    /// The identity of the lane across states of the log: its name after the names of its
    /// ancestors.
    let key: [String]
    let name: String
    let depth: Int
    let parent: Int?
    let layout: LaneLayout
    var hasChildren = false
    /// The members of the lanes in a group, in the order of beginnings. A group has no members of
    /// its own.
    var below: MemberList = []
    var leaks = 0
    /// A Boolean value that indicates whether the lane is at the top because the user wants it.
    var isPinned = false

    var members: MemberList { layout.members }
    var rows: [MemberList] { layout.rows }
    var overflow: MemberList { layout.overflow }
    /// The members of the lane, or of the lanes in a group.
    var listed: MemberList { members.isEmpty ? below : members }
  }

  private(set) var lanes: [Lane] = []
  /// The lane of each subscription, or -1 for those left out. `rowOf` has the row. Subscriptions
  /// that did not fit have the row of the overflow.
  private var laneNumbers: [Int32] = []
  private var rowOf: [Int16] = []
  private var laneOf: [[String]: Int] = [:]

  /// The width of the widest label in columns, including the signs before the name.
  private(set) var labelColumns = 0

  /// The maximum number of rows of bars in a lane.
  static let maxRows = 4

  static let empty = TimelineRows()

  private init() {}

  /// Creates the rows.
  ///
  /// - Parameter suspects: The indices of subscriptions that are suspected leaks.
  init(
    _ excerpt: LogExcerpt, _ spans: LifeSpans, grouping: Grouping, order: ListOrder,
    pinned: [String] = [], suspects: Set<Int>
  ) {
    let log = excerpt.log
    let nodes = TimelineRowNodes(excerpt, grouping, order, pinned: pinned).nodes
    laneNumbers = Array(repeating: -1, count: log.lifecycles.count)
    rowOf = Array(repeating: 0, count: log.lifecycles.count)
    for node in nodes {
      let number = lanes.count
      let layout = LaneLayout(node.members, in: log, rows: TimelineRows.maxRows)
      for index in node.members {
        laneNumbers[index] = Int32(clamping: number)
        rowOf[index] = Int16(layout.rows.count)
      }
      for (row, list) in layout.rows.enumerated() {
        for index in list { rowOf[index] = Int16(row) }
      }
      if let parent = node.parent { lanes[parent].hasChildren = true }
      lanes.append(
        Lane(
          key: (node.parent.map { lanes[$0].key } ?? node.origin) + [node.name], name: node.name,
          depth: node.depth, parent: node.parent, layout: layout, isPinned: node.isPinned))
    }
    for index in suspects where laneNumbers[index] >= 0 {
      lanes[Int(laneNumbers[index])].leaks += 1
    }
    gatherGroups(spans)
    laneOf = Dictionary(
      lanes.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    labelColumns =
      lanes.lazy.map { DisplayWidth.columns(of: SafeText.make($0.name)) + $0.depth * 2 + 7 }.max()
      ?? 0
  }

  private mutating func gatherGroups(_ spans: LifeSpans) {
    let groups = lanes.indices.filter { lanes[$0].members.isEmpty }
    guard !groups.isEmpty else { return }
    var below = Array(repeating: MemberList([]), count: lanes.count)
    let parents = lanes.map(\.parent)
    for (index, lane) in laneNumbers.enumerated() where lane >= 0 {
      if let group = parents[Int(lane)] { below[group].append(index) }
    }
    for group in groups { lanes[group].below = spans.inOrder(below[group]) }
  }

  /// Returns the line in which a subscription is drawn if its lane is not folded, or `nil` if it is
  /// left out.
  func item(of index: Int) -> Item? {
    guard laneNumbers.indices.contains(index), laneNumbers[index] >= 0 else { return nil }
    return Item(lane: Int(laneNumbers[index]), row: Int(rowOf[index]))
  }

  /// Returns the number of shown subscriptions that are alive at a time.
  func alive(at time: Nanoseconds) -> Int {
    lanes.reduce(0) { $0 + $1.layout.population.alive(at: time) }
  }

  func lane(of key: [String]) -> Int? { laneOf[key] }

  /// A line of the timeline.
  struct Item: Equatable, Sendable {
    let lane: Int
    /// The row of bars. The number after the last row is the row of the overflow.
    let row: Int
  }

  /// Returns the lines of all lanes except those that are folded into their parents.
  ///
  /// - Parameter folded: The keys of lanes that are shown on one line, without the lanes below
  ///   them.
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
