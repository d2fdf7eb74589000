import TerminalUI
import ViewerConsole

// The pane below the timeline, and folding.
extension Viewer {
  /// Goes from the timeline to the last pane, from there to the previous one, and from the first
  /// one back to the timeline.
  mutating func turnBack() {
    if focus == .timeline {
      focus = .pane
      panes.turnToLast()
    } else if !panes.turnBack() {
      focus = .timeline
    }
  }

  /// Performs the action of the Enter key.
  mutating func open() {
    guard focus == .pane else { return openLane() }
    withCurrentPane { $0.open(in: &$1) }
    panes.scrollToTop()
  }

  /// Folds or unfolds lines of the shown pane. Returns false if the pane has no such lines or does
  /// not have the focus.
  mutating func fold(_ change: PaneFold) -> Bool {
    guard focus == .pane else { return false }
    var isDone = false
    withCurrentPane { isDone = $0.fold(change, in: &$1) }
    return isDone
  }

  /// Lists all subscriptions or, if the user is in their list, those of the lane.
  mutating func listAll() {
    let isShown = focus == .pane && panes.currentID == .subscriptions
    show(.subscriptions)
    var pane = panes[SubscriptionsPane.self]
    pane.list(all: !isShown || !pane.listsAll, in: self)
    panes.replace(pane)
  }

  /// Lists the events of all lanes or, if the user is in their list, those of the row.
  mutating func listAllEvents() {
    let isShown = focus == .pane && panes.currentID == .events
    show(.events)
    var pane = panes[EventsPane.self]
    pane.list(all: !isShown || !pane.listsAll)
    panes.replace(pane)
  }

  /// Gives the pane more rows or fewer.
  mutating func shift(by distance: Int) {
    let before = layout.pane.count
    let old = split
    let current = if case .shifted(let rows) = split { rows } else { 0 }
    split = .shifted(by: current + distance)
    guard layout.pane.count == before else { return }
    split = old
    say(distance > 0 ? "no more rows for the pane" : "no more rows to give")
  }

  /// Sorts the shown pane by the column with a letter. Returns false if it doesn't have such a
  /// column or the focus.
  mutating func sortPane(by press: KeyPress) -> Bool {
    guard focus == .pane, case .character(let letter) = press.key, press.modifiers.isEmpty,
      letter.isUppercase
    else { return false }
    var pane = panes.current
    guard case .by(let column) = pane.sort(by: letter, in: self) else { return false }
    say("sorted by \(column)")
    panes.replace(pane)
    return true
  }

  /// Sorts the shown pane. Returns false if it does not have the focus, or if the order of the
  /// timeline applies to it.
  mutating func sortPane() -> Bool {
    guard focus == .pane else { return false }
    var pane = panes.current
    switch pane.sort(in: self) {
    case .ofTimeline: return false
    case .by(let column): say("sorted by \(column)")
    case .fixed(let reason): say(reason)
    }
    panes.replace(pane)
    return true
  }

  /// Selects the first line of what was sorted, which is what the user wants to see: the list of
  /// subscriptions, if it has the focus, or the timeline.
  mutating func goToTop() {
    guard focus == .pane, panes.currentID == .subscriptions else {
      return timeline.select(item: 0)
    }
    withCurrentPane { pane, viewer in
      pane.adapt(to: viewer)
      pane.move(.first, in: &viewer)
    }
  }

  /// Folds or unfolds the selected lane. If there is nothing to fold, the user wants to see the
  /// details.
  private mutating func openLane() {
    if timeline.selectedLane == nil {
      say("nothing to fold")
    } else if !timeline.toggleFold() {
      show(.detail)
    }
  }

  /// Pins the selected lane to the top, or unpins it.
  mutating func pin() -> [Effect] {
    guard let lane = timeline.selectedLane, !lane.members.isEmpty else {
      return refuse("no lane selected")
    }
    let name = lane.name
    let isPinned = feed.arrangement.pinned.contains(name)
    say("\(page.safe(name)) \(isPinned ? "unpinned" : "pinned to the top")")
    return arrange { arrangement in
      arrangement.pinned.removeAll { $0 == name }
      if !isPinned { arrangement.pinned.append(name) }
    }
  }
}
