import TerminalUI
import TraceAnalysis
import TraceFormat

// The pane below the timeline, and folding.
extension Viewer {
  mutating func show(_ command: ViewerCommand) -> [Effect] {
    switch command {
    case .subscriptions: pane = .subscriptions
    case .events: pane = .events
    case .detail: pane = .detail
    case .findings: pane = .findings
    default: pane = .summary
    }
    focus = .pane
    lists.detail = 0
    return pane == .summary && !isSummaryCurrent ? [.summarize] : []
  }

  mutating func turnFocus(_ step: Int) -> [Effect] {
    if focus == .timeline {
      focus = .pane
      if step < 0 { pane = PaneKind.allCases.last ?? pane }
    } else if step > 0 {
      focus = .timeline
    } else if let previous = PaneKind(rawValue: pane.rawValue - 1) {
      pane = previous
    } else {
      focus = .timeline
    }
    return pane == .summary && !isSummaryCurrent ? [.summarize] : []
  }

  /// A Boolean value that indicates whether the statistics are about the shown state of the log.
  var isSummaryCurrent: Bool { statistics != nil && statisticsRead == snapshot.revision }

  /// Takes statistics. Those of another filter are ignored. Those of an earlier state of the log
  /// are used until newer ones arrive.
  mutating func take(_ statistics: [LaneSummary], _ key: SummaryKey) {
    let wanted = SummaryKey(viewed)
    guard key.filter == wanted.filter, key.restarts == wanted.restarts else { return }
    self.statistics = statistics
    statisticsRead = key.revision
  }

  /// Moves in the pane. Returns false for commands that move in the timeline even while the pane
  /// has the focus.
  mutating func moveInPane(_ command: ViewerCommand) -> Bool {
    let height = max(1, layout.pane.count - 1)
    let distance: Int
    switch command {
    case .up: distance = -1
    case .down: distance = 1
    case .pageUp: distance = -max(1, height - 1)
    case .pageDown: distance = max(1, height - 1)
    case .first: distance = -1_000_000_000
    case .last: distance = 1_000_000_000
    default: return false
    }
    switch pane {
    case .subscriptions:
      lists.subscriptions.move(by: distance, count: lists.members.count, height: height)
      takeListed()
    case .findings:
      lists.findings.move(by: distance, count: viewed.findings.count, height: findingRows)
    case .summary:
      lists.summary.move(by: distance, count: statistics?.count ?? 0, height: height)
    case .detail:
      let most = max(0, DetailView.lineCount(self) - layout.pane.count)
      lists.detail = max(0, min(lists.detail + distance, most))
    case .events:
      moveInEvents(by: distance, height: height)
    }
    return true
  }

  /// Chooses the subscription that is selected in the list.
  private mutating func takeListed() {
    guard lists.members.indices.contains(lists.subscriptions.row) else { return }
    let index = lists.members[lists.subscriptions.row]
    go(to: index)
    // The subscription may be in another row of the lane, but the list stays the same.
    lists.lane = selectedLane?.key
  }

  private mutating func moveInEvents(by distance: Int, height: Int) {
    guard abs(distance) < 1_000_000 else {
      point(to: distance < 0 ? .zero : log.duration)
      keepsEnd = distance > 0 && reading.follows
      return
    }
    let index = (events.current ?? -1) + distance
    guard !events.events.isEmpty else { return }
    point(to: events.events[max(0, min(index, events.events.count - 1))])
  }

  /// Performs the action of the Enter key.
  mutating func open() {
    guard focus == .pane else { return toggleFold() }
    switch pane {
    case .subscriptions, .events: pane = .detail
    case .findings:
      goToFinding(lists.findings.row)
      // A list that covers the timeline would hide the finding there.
      if layout.timeline.isEmpty { focus = .timeline }
    case .summary: goToSummarizedLane()
    case .detail: focus = .timeline
    }
    lists.detail = 0
  }

  private mutating func goToSummarizedLane() {
    guard let statistics, statistics.indices.contains(lists.summary.row) else { return }
    let name = statistics[lists.summary.row].lane
    guard let lane = outline.lanes.firstIndex(where: { $0.name == name && !$0.members.isEmpty }),
      let first = outline.lanes[lane].members.first
    else { return }
    go(to: first)
    pane = .subscriptions
    focus = .timeline
  }

  private mutating func toggleFold() {
    guard let lane = selectedLane, let item = selectedItem else {
      notice = Notice(text: "there is nothing to fold")
      return
    }
    let rows = lane.rows.count + (lane.overflow.isEmpty ? 0 : 1)
    guard lane.hasChildren || rows > 1 else {
      // Without anything to fold, the user wants to see the details.
      pane = .detail
      focus = .pane
      lists.detail = 0
      return
    }
    if folded.remove(lane.key) == nil { folded.insert(lane.key) }
    layOutItems()
    self.item = items.firstIndex { $0.lane == item.lane } ?? self.item
    choose()
  }

  mutating func foldAll() {
    let lane = selectedItem?.lane
    let foldable = outline.lanes.filter {
      $0.hasChildren || $0.rows.count > 1 || !$0.overflow.isEmpty
    }
    if foldable.isEmpty { notice = Notice(text: "there is nothing to fold") }
    if folded.isEmpty { folded = Set(foldable.map(\.key)) } else { folded = [] }
    layOutItems()
    // Selects the same lane, or the one that it is folded into.
    let above = items.last { $0.lane <= lane ?? 0 }?.lane
    item = items.firstIndex { $0.lane == above } ?? 0
    choose()
  }
}
