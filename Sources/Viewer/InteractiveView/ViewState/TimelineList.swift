/// The lines of the timeline, one of which is selected.
struct TimelineList: Sendable {
  private(set) var items: [TimelineRows.Item] = []
  /// The keys of lanes that are shown on one line.
  private(set) var folded: Set<[String]> = []
  private var position = ListPosition()
  /// A number that changes whenever other lines are shown.
  private(set) var revision = 0
  /// A Boolean value that indicates whether the lines around the selected one are shown as well
  /// when the list scrolls next.
  private var needsContext = false

  /// The number of lines above and below the target of a jump that are shown with it.
  private static let contextLines = 3

  /// The index of the selected line.
  var selected: Int { position.row }
  /// The index of the first visible line.
  var first: Int { position.first }
  var selectedItem: TimelineRows.Item? {
    items.indices.contains(selected) ? items[selected] : nil
  }

  mutating func select(_ index: Int) {
    position.select(index, count: items.count)
  }

  /// Shows the lines around the selected one too when the list scrolls next, as after a jump.
  mutating func showContext() { needsContext = true }

  /// Scrolls no more than necessary to show the selected line.
  mutating func scroll(height: Int) {
    let height = max(1, height)
    let context = needsContext ? min(Self.contextLines, (height - 1) / 2) : 0
    position.scroll(count: items.count, height: height, context: context)
    needsContext = false
  }

  /// Takes the lines of a log. Lanes that a filter hides stay folded.
  ///
  /// - Parameter isSame: True for another state of the same log.
  mutating func show(_ outline: TimelineRows, isSame: Bool) {
    if !isSame { folded = [] }
    layOut(outline)
  }

  /// Selects a row, or else the first line of its lane. Does nothing if neither is shown.
  mutating func select(lane: Int, row: Int) {
    let index =
      items.firstIndex(of: TimelineRows.Item(lane: lane, row: row))
      ?? items.firstIndex { $0.lane == lane }
    if let index { select(index) }
  }

  /// Selects a row, or the line of the lane into which it is folded.
  mutating func reveal(lane: Int, row: Int, in outline: TimelineRows) {
    var lane = lane
    var candidate = lane
    // The topmost folded lane above represents all lanes below it.
    while true {
      if folded.contains(outline.lanes[candidate].key) { lane = candidate }
      guard let parent = outline.lanes[candidate].parent else { break }
      candidate = parent
    }
    select(lane: lane, row: row)
  }

  /// Folds or unfolds the selected lane. Returns false if it has nothing to fold.
  mutating func toggleFold(in outline: TimelineRows) -> Bool {
    guard let item = selectedItem else { return false }
    let lane = outline.lanes[item.lane]
    guard lane.canFold else { return false }
    if folded.remove(lane.key) == nil { folded.insert(lane.key) }
    layOut(outline)
    if let index = items.firstIndex(where: { $0.lane == item.lane }) { select(index) }
    return true
  }

  /// Folds all lanes, or unfolds all. Returns false if no lane has anything to fold.
  mutating func toggleAllFolds(in outline: TimelineRows) -> Bool {
    let lane = selectedItem?.lane
    let foldable = outline.lanes.filter(\.canFold)
    let keys = Set(foldable.map(\.key))
    folded = folded.isDisjoint(with: keys) ? folded.union(keys) : []
    layOut(outline)
    // Selects the same lane, or the one that it is folded into.
    let above = items.last { $0.lane <= lane ?? 0 }?.lane
    select(items.firstIndex { $0.lane == above } ?? 0)
    return !foldable.isEmpty
  }

  /// Unfolds a lane and all lanes above it.
  mutating func unfold(to lane: Int, in outline: TimelineRows) {
    let before = folded
    var above: Int? = lane
    while let number = above {
      folded.remove(outline.lanes[number].key)
      above = outline.lanes[number].parent
    }
    if folded != before { layOut(outline) }
  }

  private mutating func layOut(_ outline: TimelineRows) {
    items = outline.items(folded: folded)
    revision += 1
    select(selected)
  }
}

extension TimelineRows.Lane {
  /// A Boolean value that indicates whether the lane takes up fewer lines when it is folded.
  var canFold: Bool { hasChildren || rows.count > 1 || !overflow.isEmpty }
}

/// The selected line of a list and the first visible one.
struct ListPosition: Equatable, Sendable {
  private(set) var row = 0
  private(set) var first = 0

  mutating func move(by distance: Int, count: Int, height: Int) {
    go(to: row + distance, count: count, height: height)
  }

  mutating func go(to row: Int, count: Int, height: Int) {
    select(row, count: count)
    scroll(count: count, height: height)
  }

  /// Selects a line without scrolling to it.
  mutating func select(_ row: Int, count: Int) {
    self.row = max(0, min(row, count - 1))
  }

  /// Scrolls no more than necessary to show the selected line and `context` lines on both sides.
  mutating func scroll(count: Int, height: Int, context: Int = 0) {
    row = max(0, min(row, count - 1))
    first = min(first, row - context)
    first = max(first, row + context - max(1, height) + 1)
    first = max(0, min(first, count - height))
  }
}
