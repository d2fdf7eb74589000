import TerminalUI
import TraceAnalysis
import TraceFormat

// Moving in the timeline and in lists.
extension Viewer {
  mutating func move(_ command: ViewerCommand) {
    if focus == .pane, moveInPane(command) { return }
    switch command {
    case .left: moveCursor(by: -1)
    case .right: moveCursor(by: 1)
    case .farLeft: moveCursor(by: -10)
    case .farRight: moveCursor(by: 10)
    case .up: select(item: item - 1)
    case .down: select(item: item + 1)
    case .pageUp: select(item: item - max(1, layout.timeline.count - 1))
    case .pageDown: select(item: item + max(1, layout.timeline.count - 1))
    case .first: point(to: .zero)
    case .last:
      point(to: log.duration)
      keepsEnd = reading.follows
    default: break
    }
  }

  /// Moves the cursor to a time and chooses the subscription at that time in the selected row.
  mutating func point(to time: Nanoseconds, event: LogEvent? = nil) {
    cursor = min(time, max(log.duration, window.end))
    self.event = event
    if isReplaying { replay?.pause() }
    keepsEnd = false
    window.reveal(cursor)
    if let index = event?.lifecycle { chosen = index } else { choose() }
  }

  private mutating func moveCursor(by columns: Int) {
    let scale = window.scale(columns: layout.cells)
    let target = scale.column(of: cursor) + columns
    if window.contains(cursor), (0..<scale.columns).contains(target) {
      return point(to: min(scale.start(of: target), max(log.duration, cursor)))
    }
    // The cursor leaves the window by the same distance that it would move inside it.
    let distance = window.step(columns: layout.cells).timesSaturating(UInt64(abs(columns)))
    if columns < 0 {
      point(to: Nanoseconds(cursor.count > distance ? cursor.count - distance : 0))
    } else {
      point(to: min(cursor.after(distance), max(log.duration, cursor)))
    }
  }

  mutating func select(item: Int) {
    self.item = max(0, min(item, items.count - 1))
    event = nil
    choose()
  }

  /// Chooses the subscription of the selected row at the cursor, or the last one before it, or else
  /// the next one.
  mutating func choose() {
    guard let members = rowMembers, !members.isEmpty else {
      chosen = nil
      return
    }
    let place = members.partitionPoint { viewed.spans[$0].start > cursor }
    chosen = members[max(0, place - 1)]
  }

  /// The subscriptions of the selected row, in the order of their beginnings.
  var rowMembers: [Int]? {
    guard let item = selectedItem else { return nil }
    return members(of: item)
  }

  func members(of item: TimelineRows.Item) -> [Int] {
    guard outline.lanes.indices.contains(item.lane) else { return [] }
    let lane = outline.lanes[item.lane]
    if lane.members.isEmpty { return lane.below }
    if folded.contains(lane.key) { return lane.members }
    return item.row < lane.rows.count ? lane.rows[item.row] : lane.overflow
  }

  var rowScope: EventScope { selectedItem.map { .row($0) } ?? .shown }

  /// Goes to the row of a subscription and to a time, by default the time of its beginning.
  mutating func go(to index: Int, at time: Nanoseconds? = nil) {
    guard let place = outline.item(of: index) else {
      notice = Notice(text: "\(log.name(of: log.lifecycles[index])) is filtered out")
      return
    }
    unfold(to: place.lane)
    let target = TimelineRows.Item(lane: place.lane, row: place.row)
    item = items.firstIndex(of: target) ?? items.firstIndex { $0.lane == place.lane } ?? item
    cursor = time ?? log.lifecycles[index].start
    event = nil
    keepsEnd = false
    window.reveal(cursor)
    chosen = index
  }

  private mutating func unfold(to lane: Int) {
    var above: Int? = lane
    while let number = above {
      folded.remove(outline.lanes[number].key)
      above = outline.lanes[number].parent
    }
    layOutItems()
  }

  // MARK: The window

  mutating func zoom(by factor: Double) {
    zoom(by: factor, at: cursor)
  }

  mutating func zoom(by factor: Double, at time: Nanoseconds) {
    let all = VisibleRange.all(of: log)
    // A column is at least a nanosecond, the resolution of times in a log.
    window.zoom(
      by: factor, at: time, least: UInt64(max(1, layout.cells)),
      most: max(all.duration, UInt64(max(1, layout.cells))))
    if window.duration >= all.duration { window = all }
    fitsAll = window == all
    keepsEnd = keepsEnd && factor < 1
  }

  mutating func pan(by share: Double) {
    if fitsAll {
      notice = Notice(text: "all is in view; w zooms in")
      return
    }
    window.pan(by: share, within: log.duration)
    fitsAll = false
    keepsEnd = false
    // The cursor stays in view.
    let inside = window.duration > 0 ? window.duration - 1 : 0
    cursor = min(
      max(cursor, window.start), min(window.start.after(inside), max(log.duration, window.start)))
    event = nil
    choose()
  }

  /// Fits the marked time range, then the subscription, then everything. Chooses the one after the
  /// current view.
  mutating func fit() {
    var ranges: [VisibleRange] = []
    if let between = marks.between { ranges.append(.around(between)) }
    if let chosen, log.lifecycles.indices.contains(chosen) {
      let lifecycle = log.lifecycles[chosen]
      let life = TimeRange(from: lifecycle.start, through: log.lastMoment(of: lifecycle))
      ranges.append(.around(life))
    }
    ranges.append(.all(of: log))
    let index = ranges.lastIndex(of: window).map { $0 + 1 } ?? 0
    window = ranges[index % ranges.count]
    fitsAll = index % ranges.count == ranges.count - 1
    if !window.contains(cursor) {
      cursor = window.start.after(window.duration / 2)
      choose()
    }
  }

  // MARK: Marks

  mutating func mark() {
    marks.add(cursor)
    if let between = marks.between {
      notice = Notice(
        text: "\(page.duration(between.duration)) between the marks; f fits them")
    } else {
      notice = Notice(text: "marked; m elsewhere shows the time between")
    }
  }

  mutating func goToMark() {
    guard let time = marks.turn() else {
      notice = Notice(text: "there is no mark; m makes one")
      return
    }
    point(to: time)
  }
}
