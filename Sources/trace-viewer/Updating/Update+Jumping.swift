import TerminalUI
import TraceAnalysis
import TraceFormat

// Moving from one event to another.
extension Viewer {
  /// The position of the cursor among the events.
  var position: LogEvent.Position {
    event?.position ?? LogEvent.Position(after: cursor)
  }

  func quest(
    _ purpose: EventSearchRequest.Purpose, forward: Bool, of scope: EventScope
  ) -> Effect {
    // If no event is selected, an event at exactly the time of the cursor is the next one.
    let start = event?.position ?? LogEvent.Position(before: cursor)
    return .find(
      EventSearchRequest(scope: scope, position: start, forward: forward, purpose: purpose))
  }

  mutating func arrive(_ quest: EventSearchRequest, _ event: LogEvent?) {
    guard let event else {
      notice = Notice(
        text: quest.forward ? "nothing happens after this" : "nothing happened before this")
      return
    }
    if let index = event.lifecycle, let place = outline.place(of: index) {
      let isShown = selectedItem.map { members(of: $0).contains(index) && quest.purpose == .point }
      if isShown != true { reveal(lane: place.lane, row: place.row) }
    }
    point(to: event)
    if quest.purpose == .step { notice = Notice(text: EventText(log: log, page: page).line(event)) }
  }

  /// Moves the cursor to an event of the selected row.
  mutating func point(to event: LogEvent) {
    cursor = event.time
    self.event = event
    keepsEnd = false
    window.reveal(cursor)
    if let index = event.lifecycle { chosen = index }
  }

  /// Selects a row, or the line of its lane if the lane is folded.
  mutating func reveal(lane: Int, row: Int) {
    var lane = lane
    var candidate = lane
    // The topmost folded lane above represents all lanes below it.
    while true {
      if folded.contains(outline.lanes[candidate].key) { lane = candidate }
      guard let parent = outline.lanes[candidate].parent else { break }
      candidate = parent
    }
    item =
      items.firstIndex(of: TimelineRows.Item(lane: lane, row: row))
      ?? items.firstIndex { $0.lane == lane } ?? item
  }

  /// Goes to the parent or the cause of the chosen subscription.
  mutating func goToOrigin(_ command: ViewerCommand) {
    guard let chosen, log.lifecycles.indices.contains(chosen) else {
      notice = Notice(text: "no subscription is selected")
      return
    }
    let lifecycle = log.lifecycles[chosen]
    let origin =
      command == .parent
      ? log.parent(of: lifecycle)
      : lifecycle.cause.flatMap { log.index(of: $0, log: Int(lifecycle.log)) }
    guard let origin, origin != chosen else {
      let name = log.name(of: lifecycle)
      let text =
        command == .parent
        ? "\(name) was made for no other subscription" : "\(name) was not made inside a delivery"
      notice = Notice(text: page.safe(text))
      return
    }
    go(to: origin, at: lifecycle.start)
    guard outline.place(of: origin) != nil else { return }
    let relation = command == .parent ? "made for" : "made by a delivery of"
    notice = Notice(
      text: page.safe(
        "\(log.name(of: lifecycle)) was \(relation) \(log.name(of: log.lifecycles[origin]))"))
  }

  mutating func goToFailure(forward: Bool) {
    let here = cursor
    var best: (time: Nanoseconds, index: Int)?
    for index in viewed.excerpt.members where log.lifecycles[index].state == .failed {
      guard let end = log.lifecycles[index].end else { continue }
      let isBehind = end > here || (end == here && index > (chosen ?? -1))
      let isBefore = end < here || (end == here && index < (chosen ?? .max))
      guard forward ? isBehind : isBefore else { continue }
      guard let found = best else {
        best = (end, index)
        continue
      }
      if forward ? (end, index) < found : (end, index) > found { best = (end, index) }
    }
    guard let best else {
      notice = Notice(text: forward ? "no failure after this" : "no failure before this")
      return
    }
    go(to: best.index, at: best.time)
  }

  mutating func goToNextFinding() {
    let findings = viewed.findings
    guard !findings.isEmpty else {
      notice = Notice(
        text: arrangement.filter.isEmpty ? "no findings" : "no findings in what is shown")
      return
    }
    let next = hasVisitedFinding ? (lists.findings.row + 1) % findings.count : 0
    hasVisitedFinding = true
    goToFinding(next)
  }

  mutating func goToFinding(_ number: Int) {
    let findings = viewed.findings
    guard findings.indices.contains(number) else { return }
    lists.findings.go(to: number, count: findings.count, height: findingRows)
    let finding = findings[number]
    go(to: finding.lifecycle)
    notice = Notice(text: FindingText(log: log, page: page).line(finding).text)
  }
}
