import TerminalUI
import TraceAnalysis
import TraceFormat

// Taking new states of the log, and requesting the events that the view needs.
extension Viewer {
  /// Takes a new state of the log or of its arrangement, and keeps the selection.
  mutating func show(_ new: ViewedLog, _ reading: ReadingState) -> [Effect] {
    note(reading)
    let isSame = new.snapshot.restarts == snapshot.restarts
    if isFrozen, isSame, new.snapshot.revision != snapshot.revision {
      held = (new, reading)
      return []
    }
    if reading.isComplete, !reading.follows {
      // The reason that there is nothing to show is printed after the program exits, where the user
      // can read it at leisure.
      if new.log.logs.isEmpty { return [.quit(.notALog)] }
      if !self.wasComplete { notice = damage(of: new.log) ?? notice }
      wasComplete = true
    }
    let wasEmpty = log.lifecycles.isEmpty
    let selection = selectedItem.map { (key: outline.lanes[$0.lane].key, row: $0.row) }
    let chosenKey = chosen.flatMap { key(of: $0) }
    let eventKey = event?.lifecycle.flatMap { key(of: $0) }
    if !isFrozen || !isSame { held = nil }
    if new.arrangement.filter != viewed.arrangement.filter {
      // The search results and statistics are about another filter.
      search?.revision = -1
      statisticsRead = -1
    }
    viewed = new
    if !isSame {
      isFrozen = false
      startOver()
    }
    folded = folded.filter { outline.lane(of: $0) != nil }
    layOutItems()
    if isSame, let selection, let lane = outline.lane(of: selection.key) {
      item =
        items.firstIndex(of: TimelineRows.Item(lane: lane, row: selection.row))
        ?? items.firstIndex { $0.lane == lane } ?? item
    }
    chosen = isSame ? chosenKey.flatMap { place(of: $0) } : nil
    if let chosen, let place = outline.item(of: chosen),
      selectedItem.map({ members(of: $0).contains(chosen) }) != true
    {
      reveal(lane: place.lane, row: place.row)
    }
    if chosen == nil || wasEmpty { choose() }
    if fitsAll { window = VisibleRange.all(of: log) }
    if keepsEnd { stayAtEnd() }
    if !isSame || event?.lifecycle.flatMap({ key(of: $0) }) != eventKey { event = nil }
    lists.lane = nil
    lists.members = []
    return pane == .summary && !layout.pane.isEmpty && !isSummaryCurrent ? [.summarize] : []
  }

  mutating func note(_ reading: ReadingState) {
    if let change = reading.change, self.reading.change == nil {
      notice = Notice(text: change, isError: true)
    }
    self.reading = reading
  }

  /// Returns a notice about the first kind of damage in the log.
  private func damage(of log: LogAnalysis) -> Notice? {
    for section in log.sections {
      for kind in Damage.Kind.allCases {
        guard let tally = section.damage[kind] else { continue }
        let name = log.files[section.file].name
        let sentence = LogSentences.damage(kind, tally.count)
        return Notice(text: "\(name):\(tally.firstLine): \(sentence)", isError: true)
      }
    }
    return nil
  }

  /// Returns an identifier of a subscription that is valid in every state of the log.
  private func key(of index: Int) -> NumberInLog? {
    guard log.lifecycles.indices.contains(index) else { return nil }
    let lifecycle = log.lifecycles[index]
    return NumberInLog(log: Int(lifecycle.log), number: lifecycle.id.number)
  }

  private func place(of key: NumberInLog) -> Int? {
    guard let id = SubscriptionID(key.number),
      let index = log.index(of: id, log: key.log), outline.item(of: index) != nil
    else { return nil }
    return index
  }

  /// Resets the viewer because the file contains another run.
  private mutating func startOver() {
    cursor = .zero
    chosen = nil
    marks.clear()
    search = nil
    statistics = nil
    fitsAll = true
    notice = Notice(text: "another log has begun in the file")
  }

  private mutating func stayAtEnd() {
    cursor = log.duration
    if !fitsAll, !window.contains(cursor) || reading.follows {
      let lead = window.duration - window.duration / 20
      window.start = Nanoseconds(cursor.count > lead ? cursor.count - lead : 0)
    }
    choose()
  }

  /// Keeps the selected line on the screen and the list of the pane in sync with the lane.
  mutating func keepInView() {
    item = max(0, min(item, items.count - 1))
    let height = max(1, layout.timeline.count)
    firstItem = min(firstItem, item)
    firstItem = max(firstItem, item - height + 1, 0)
    firstItem = min(firstItem, max(0, items.count - height))
    listMembers()
  }

  private mutating func listMembers() {
    guard pane == .subscriptions, layout.pane.count > 0 else { return }
    let key = selectedLane?.key
    let height = max(1, layout.pane.count - 1)
    if lists.lane != key || key == nil {
      lists.lane = key
      let order = viewed.arrangement.order
      lists.members = LaneRanking(order, log).sort(selectedLane?.listed ?? [])
    }
    guard let chosen else {
      lists.subscriptions.scroll(count: lists.members.count, height: height)
      return
    }
    if lists.members.indices.contains(lists.subscriptions.row),
      lists.members[lists.subscriptions.row] == chosen
    {
      lists.subscriptions.scroll(count: lists.members.count, height: height)
    } else if let row = row(of: chosen) {
      lists.subscriptions.go(to: row, count: lists.members.count, height: height)
    }
  }

  /// Returns the row of a subscription in the list.
  private func row(of index: Int) -> Int? {
    guard viewed.arrangement.order == .time else { return lists.members.firstIndex(of: index) }
    let key = (log.lifecycles[index].start, index)
    let row = lists.members.partitionPoint { (viewed.spans[$0].start, $0) >= key }
    return row < lists.members.count && lists.members[row] == index ? row : nil
  }

  /// The events that the view needs, or `nil` if it shows none.
  var wantedEvents: EventRequest? {
    guard !layout.pane.isEmpty, pane == .events || pane == .detail else { return nil }
    let height = max(2, layout.pane.count)
    let scope: EventScope
    if pane == .detail {
      guard let chosen else { return nil }
      scope = .subscription(chosen)
    } else {
      scope = rowScope
    }
    return EventRequest(
      scope: scope, position: position, before: pane == .detail ? 4 : height,
      after: pane == .detail ? 4 : height, wantsFields: pane == .detail,
      revision: snapshot.revision)
  }

  func eventsToRead() -> [Effect] {
    guard let wanted = wantedEvents, wanted != events.request else { return [] }
    return [.read(wanted)]
  }
}
