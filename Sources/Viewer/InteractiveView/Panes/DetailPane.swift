import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

extension PaneID {
  static let detail = PaneID(title: "Detail")
}

/// The pane with everything about the chosen subscription, and the events around the cursor.
struct DetailPane: Pane {
  static let id = PaneID.detail
  static let help = "show the subscription, and what keeps it alive"

  /// The first visible line.
  private(set) var first = 0
  /// The selected line.
  private(set) var row = 0
  /// The lines, which are made once for each message while the pane has the focus, and the lines of
  /// the source among them.
  private var made: (rows: [DetailText.Row], excerpt: SourceLines?)?
  /// The subscription that the lines are about.
  private var shown: Subject?

  /// The identity of a subscription across states of its log.
  private struct Subject: Equatable {
    let log: Int32
    let id: SubscriptionID
  }

  func subject(in viewer: Viewer) -> String? {
    viewer.timeline.chosenLifecycle.map {
      viewer.page.safe(viewer.log.title(of: $0))
    }
  }

  mutating func lineCount(_ viewer: Viewer) -> Int {
    let rows = DetailText(viewer).rows
    made = (rows, viewer.sources.excerpt)
    return rows.count
  }

  private func rows(_ viewer: Viewer) -> [DetailText.Row] {
    if let made, made.excerpt == viewer.sources.excerpt { return made.rows }
    return DetailText(viewer).rows
  }

  func events(_ viewer: Viewer) -> EventRequest? {
    viewer.timeline.chosen.map { chosen in
      EventRequest(
        scope: .subscription(chosen), position: viewer.timeline.position, before: 4, after: 4,
        wantsFields: true, revision: viewer.snapshot.revision,
        listRevision: viewer.timeline.list.revision)
    }
  }

  /// Returns the place of the selected line while the pane has the focus, or else the one of the
  /// subscription.
  func preview(_ viewer: Viewer) -> SourcePlace? {
    let selected = viewer.focus == .pane ? selected(in: viewer) : nil
    if selected?.isCode == true { return viewer.sources.wanted }
    if case .place(let place) = selected?.source?(),
      viewer.sources.paths[place.file] != nil
    {
      return place
    }
    return DetailText(viewer).place
  }

  mutating func scrollToTop() {
    first = 0
    row = 0
  }

  /// Begins at the top when another subscription is chosen.
  mutating func adapt(to viewer: Viewer) {
    if viewer.focus != .pane { made = nil }
    let subject = viewer.timeline.chosenLifecycle.map { Subject(log: $0.log, id: $0.id) }
    guard subject != shown else { return }
    shown = subject
    scrollToTop()
  }

  // MARK: Moving

  mutating func move(_ movement: PaneMovement, in viewer: inout Viewer) {
    let count = rows(viewer).count
    let height = max(1, viewer.layout.pane.count)
    // A page scrolls by its length wherever the selected line is.
    if case .by(let distance) = movement, abs(distance) > 1 {
      first = max(0, min(first + distance, count - height))
    }
    select(movement.target(from: row, count: count), count: count, height: height)
  }

  mutating func click(_ position: PanePosition, in viewer: inout Viewer) {
    let count = rows(viewer).count
    let height = max(1, viewer.layout.pane.count)
    select(max(0, min(first, count - height)) + position.row, count: count, height: height)
  }

  private mutating func select(_ row: Int, count: Int, height: Int) {
    self.row = max(0, min(row, count - 1))
    first = max(min(first, self.row), self.row - height + 1)
    first = max(0, min(first, count - height))
  }

  /// Goes to the task of the selected line or, if the line isn't about another task, to the
  /// timeline.
  mutating func open(in viewer: inout Viewer) {
    guard let task = selected(in: viewer)?.subscription else { return viewer.focus = .timeline }
    viewer.go(to: task)
  }

  // MARK: The selected line

  private func selected(in viewer: Viewer) -> DetailText.Row? {
    let rows = rows(viewer)
    return rows.indices.contains(row) ? rows[row] : nil
  }

  func copiedText(in viewer: Viewer) -> String? {
    if let copied = selected(in: viewer)?.copied { return copied() }
    return finding(in: viewer).map { FindingMarkdown(log: viewer.log, page: viewer.page).text($0) }
      ?? SelectionText.of(viewer)
  }

  /// Returns the finding about the subscription, if any.
  private func finding(in viewer: Viewer) -> FindingGroup? {
    guard let chosen = viewer.timeline.chosen else { return nil }
    return viewer.viewed.groups.first { $0.findings.contains { $0.members.contains(chosen) } }
  }

  func source(in viewer: Viewer) -> SourceTarget {
    selected(in: viewer)?.source?() ?? viewer.timeline.chosen.map { .lane(of: $0) } ?? .nothing
  }

  func lines(_ viewer: Viewer) -> [Line] {
    let page = viewer.page
    let all = rows(viewer)
    let height = viewer.layout.pane.count
    let first = max(0, min(first, all.count - height))
    return all.indices.dropFirst(first).prefix(height).map { index in
      guard index == row, viewer.focus == .pane else { return all[index].line }
      let text = page.cut(all[index].line.text, to: page.width)
      return Line(DisplayWidth.pad(text, to: page.width), .reversed)
    }
  }
}
