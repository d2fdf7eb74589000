import TraceAnalysis
import TraceFormat

/// The shown log, the visible time range, and what is selected.
struct TimelineState: Sendable {
  private(set) var viewed = ViewedLog.empty
  private(set) var list = TimelineList()
  /// The selected subscription, as an index in the lifecycles.
  private(set) var chosen: Int?
  /// The selected time.
  private(set) var cursor = Nanoseconds.zero
  /// The selected event. It distinguishes events at the same time.
  private(set) var event: LogEvent?

  private(set) var window = VisibleRange()
  /// A Boolean value that indicates whether the whole log is in view, even while it grows.
  private(set) var fitsAll = true
  /// A Boolean value that indicates whether the end of a growing log is kept in view.
  private(set) var keepsEnd = false
  private(set) var marks = TimeMarks()
  /// A Boolean value that indicates whether the events of the whole selected lane are listed, and
  /// not only those of the selected row.
  private var listsLane = false
  /// What was selected before a filter hid it, until something else is selected.
  private var hidden: Selection?
  /// A Boolean value that indicates whether times are shown as wall-clock times, unless each log
  /// begins at time 0.
  private var wantsClock = false
  var showsClock: Bool { wantsClock && !viewed.snapshot.isAligned }

  /// A selected line, by names that are valid in every state of the log.
  private struct Selection {
    let lane: [String]
    let row: Int
    let chosen: NumberInLog?
  }

  private var log: LogAnalysis { viewed.log }
  private var outline: TimelineRows { viewed.outline }

  // MARK: Reading the selection

  var selectedItem: TimelineRows.Item? { list.selectedItem }
  var selectedLane: TimelineRows.Lane? { selectedItem.map { outline.lanes[$0.lane] } }
  /// The chosen subscription.
  var chosenLifecycle: Lifecycle? {
    chosen.flatMap { log.lifecycles.indices.contains($0) ? log.lifecycles[$0] : nil }
  }
  /// The position of the cursor among the events.
  var position: LogEvent.Position { event?.position ?? LogEvent.Position(after: cursor) }

  /// The subscriptions of the selected row, in the order of their beginnings.
  var rowMembers: MemberList? { selectedItem.map(members) }

  /// The subscriptions whose events are listed.
  var listedScope: EventScope {
    guard let item = selectedItem else { return .shown }
    return listsLane ? .lane(item.lane) : .row(item)
  }

  /// The number of the row whose events are listed and the number of all rows of its lane, or `nil`
  /// if the events of the whole lane are listed.
  var listedRow: (number: Int, count: Int)? {
    guard let item = selectedItem, !listsLane, outline.lanes.indices.contains(item.lane) else {
      return nil
    }
    let lane = outline.lanes[item.lane]
    let count = lane.rows.count + (lane.overflow.isEmpty ? 0 : 1)
    return count > 1 && !list.folded.contains(lane.key) ? (item.row + 1, count) : nil
  }

  func members(of item: TimelineRows.Item) -> MemberList {
    guard outline.lanes.indices.contains(item.lane) else { return [] }
    let lane = outline.lanes[item.lane]
    if lane.members.isEmpty { return lane.below }
    if list.folded.contains(lane.key) { return lane.members }
    return item.row < lane.rows.count ? lane.rows[item.row] : lane.overflow
  }

  // MARK: Taking a new state of the log

  /// Shows a new state of the log or of its arrangement, and keeps the selection if it is the same
  /// log.
  ///
  /// - Parameter follows: A Boolean value that indicates whether the log may grow.
  mutating func show(_ new: ViewedLog, follows: Bool) {
    let isSame = new.snapshot.restarts == viewed.snapshot.restarts
    let wasEmpty = log.lifecycles.isEmpty
    let selection =
      hidden
      ?? selectedItem.map {
        Selection(
          lane: outline.lanes[$0.lane].key, row: $0.row, chosen: chosen.flatMap { key(of: $0) })
      }
    let eventKey = event?.lifecycle.flatMap { key(of: $0) }
    let isOnSameAxis = isSame && new.snapshot.isAligned == viewed.snapshot.isAligned
    viewed = new
    if !isOnSameAxis {
      cursor = .zero
      marks.clear()
      event = nil
      fitsAll = true
    }
    list.show(outline, isSame: isSame)
    if isSame, let selection, let lane = outline.lane(of: selection.lane) {
      list.select(lane: lane, row: selection.row)
    }
    chosen = isSame ? selection?.chosen.flatMap { index(of: $0) } : nil
    if selectedLane?.key != selection?.lane { listsLane = false }
    hidden = isSame && chosen == nil && selection?.chosen != nil ? selection : nil
    if let chosen, let location = outline.item(of: chosen),
      rowMembers?.contains(chosen) != true
    {
      list.reveal(lane: location.lane, row: location.row, in: outline)
    }
    if isSame, !isOnSameAxis, let chosenLifecycle { cursor = chosenLifecycle.start }
    if chosen == nil || wasEmpty { choose() }
    if fitsAll { window = VisibleRange.all(of: log) }
    if keepsEnd { stayAtEnd(follows: follows) }
    if !isSame || event?.lifecycle.flatMap({ key(of: $0) }) != eventKey { event = nil }
  }

  /// Returns an identifier of a subscription that is valid in every state of the log.
  private func key(of index: Int) -> NumberInLog? {
    guard log.lifecycles.indices.contains(index) else { return nil }
    let lifecycle = log.lifecycles[index]
    return NumberInLog(log: Int(lifecycle.log), number: lifecycle.id.number)
  }

  private func index(of key: NumberInLog) -> Int? {
    guard let id = SubscriptionID(key.number),
      let index = log.index(of: id, log: key.log), outline.item(of: index) != nil
    else { return nil }
    return index
  }

  private mutating func stayAtEnd(follows: Bool) {
    cursor = log.duration
    if !fitsAll, !window.contains(cursor) || follows {
      let lead = window.duration - window.duration / 20
      window.start = Nanoseconds(cursor.count > lead ? cursor.count - lead : 0)
    }
    choose()
  }

  // MARK: Selecting

  /// Keeps the end of a growing log in view.
  mutating func keepEnd() { keepsEnd = true }

  mutating func select(item: Int) {
    hidden = nil
    listsLane = false
    list.select(item)
    event = nil
    choose()
  }

  /// Scrolls no more than necessary to show the selected line.
  mutating func scroll(height: Int) { list.scroll(height: height) }

  /// Moves the cursor to a time and chooses the subscription at that time in the selected row.
  mutating func point(to time: Nanoseconds) {
    hidden = nil
    cursor = min(time, max(log.duration, window.end))
    event = nil
    keepsEnd = false
    window.reveal(cursor)
    choose()
  }

  /// Moves the cursor to an event of the selected row.
  mutating func point(to event: LogEvent) {
    hidden = nil
    cursor = event.time
    self.event = event
    keepsEnd = false
    window.reveal(cursor)
    if let index = event.lifecycle { chosen = index }
  }

  /// Moves the cursor without choosing another subscription, as a replay and the mouse do.
  mutating func moveCursor(to time: Nanoseconds) {
    cursor = time
    event = nil
  }

  /// Returns the time of the cursor after it moves by columns of the screen.
  func time(movedBy columns: Int, cells: Int) -> Nanoseconds {
    window.time(cursor, movedBy: columns, cells: cells, last: log.duration)
  }

  /// Chooses the subscription of the selected row at the cursor, or the last one before it, or else
  /// the next one.
  private mutating func choose() {
    guard let members = rowMembers, !members.isEmpty else {
      chosen = nil
      return
    }
    let begun = members.partitionPoint { viewed.spans[$0].start > cursor }
    chosen = members[max(0, begun - 1)]
  }

  /// Goes to the row of a subscription and to a time, by default the time of its beginning. Returns
  /// false if the filter leaves the subscription out.
  mutating func go(to index: Int, at time: Nanoseconds? = nil) -> Bool {
    guard let location = outline.item(of: index) else { return false }
    hidden = nil
    listsLane = false
    list.unfold(to: location.lane, in: outline)
    list.select(lane: location.lane, row: location.row)
    list.showContext()
    cursor = time ?? log.lifecycles[index].start
    event = nil
    keepsEnd = false
    window.reveal(cursor)
    chosen = index
    return true
  }

  /// Lists the events of the whole selected lane, until another line is selected.
  mutating func listLane() { listsLane = true }

  /// Selects the row of an event and moves the cursor to the event.
  ///
  /// - Parameter staysInRow: A Boolean value that indicates whether the selection may stay if the
  ///   selected line includes the event.
  mutating func go(to event: LogEvent, staysInRow: Bool) {
    if let index = event.lifecycle, let location = outline.item(of: index),
      !staysInRow || rowMembers?.contains(index) != true
    {
      let lane = selectedItem?.lane
      list.reveal(lane: location.lane, row: location.row, in: outline)
      list.showContext()
      if selectedItem?.lane != lane { listsLane = false }
    }
    point(to: event)
  }

  // MARK: Folding

  /// Folds or unfolds the selected lane. Returns false if it has nothing to fold.
  mutating func toggleFold() -> Bool {
    guard list.toggleFold(in: outline) else { return false }
    listsLane = false
    choose()
    return true
  }

  /// Folds all lanes, or unfolds all. Returns false if no lane has anything to fold.
  mutating func toggleAllFolds() -> Bool {
    defer { choose() }
    listsLane = false
    return list.toggleAllFolds(in: outline)
  }

  // MARK: The visible time range

  mutating func show(_ range: VisibleRange) {
    window = range
    fitsAll = range == VisibleRange.all(of: log)
  }

  mutating func zoom(by factor: Double, at time: Nanoseconds, cells: Int) {
    let all = VisibleRange.all(of: log)
    window.zoom(by: factor, at: time, cells: cells, within: all)
    fitsAll = window == all
    keepsEnd = keepsEnd && factor < 1
  }

  /// Moves the visible range by a share of its duration. The cursor stays in view. Returns false if
  /// everything is in view already.
  mutating func pan(by share: Double) -> Bool {
    guard !fitsAll else { return false }
    window.pan(by: share, within: log.duration)
    keepsEnd = false
    cursor = window.nearest(to: cursor, last: log.duration)
    event = nil
    choose()
    return true
  }

  /// Fits the marked time range, then the subscription, then everything. Chooses the one after the
  /// current view.
  mutating func fit() {
    var ranges: [VisibleRange] = []
    if let between = marks.between { ranges.append(VisibleRange.around(between)) }
    if let lifecycle = chosenLifecycle {
      let life = TimeRange(from: lifecycle.start, through: log.lastMoment(of: lifecycle))
      ranges.append(VisibleRange.around(life))
    }
    ranges.append(VisibleRange.all(of: log))
    let next = (ranges.lastIndex(of: window).map { $0 + 1 } ?? 0) % ranges.count
    window = ranges[next]
    fitsAll = next == ranges.count - 1
    if !window.contains(cursor) {
      cursor = window.start.after(window.duration / 2)
      choose()
    }
  }

  /// Moves the visible range no more than necessary to show the cursor when a replay begins.
  mutating func revealCursor() {
    fitsAll = fitsAll && window == VisibleRange.all(of: log)
    window.reveal(cursor)
  }

  /// Turns a page when the cursor of a replay leaves the visible range.
  mutating func followCursor() {
    if !window.contains(cursor), !fitsAll { window.start = cursor }
  }

  /// Shows wall-clock times, or times since a start.
  mutating func showClock(_ isOn: Bool) { wantsClock = isOn }

  // MARK: Marks

  mutating func mark() { mark(at: cursor) }
  mutating func mark(at time: Nanoseconds) { marks.add(time) }
  mutating func setMarks(_ first: Nanoseconds, _ second: Nanoseconds) { marks.set(first, second) }

  /// Marks the range over which the mouse is dragged.
  mutating func mark(from start: Nanoseconds, to end: Nanoseconds) {
    marks.set(start, end)
    moveCursor(to: end)
  }

  mutating func clearMarks() { marks.clear() }

  /// Returns the next mark to go to. The marks take turns.
  mutating func nextMark() -> Nanoseconds? { marks.turn() }
}
