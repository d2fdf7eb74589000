import TerminalUI
import TraceAnalysis
import TraceWords
import ViewerConsole

extension PaneID {
  static let findings = PaneID(title: "Findings")
}

/// The pane with the findings of the rules of `check`, and the damage of the log above them.
struct FindingsPane: Pane {
  static let id = PaneID.findings
  static let help = "list the findings of check, and the damage"

  private(set) var rows = FindingRows()
  private var hasVisited = false
  /// What keeps a subscription alive, made once for each message while the pane has the focus.
  private var made: (subscription: Int, reason: [Line])?

  /// The columns of the sign that folds and unfolds a finding.
  private static let signWidth = 2

  mutating func forgetLog() { rows.forget() }

  mutating func lineCount(_ viewer: Viewer) -> Int {
    made = subscription(viewer).map { ($0, DetailText(viewer).reason(of: $0)) }
    return rows.all.count + (made.map { $0.reason.count + 1 } ?? 0)
  }

  mutating func adapt(to viewer: Viewer) {
    if viewer.focus != .pane { made = nil }
    rows.layOut(viewer.viewed, height: Self.listHeight(viewer))
  }

  // MARK: The selected line

  private func finding(_ viewer: Viewer) -> FindingGroup? {
    guard let index = rows.selected?.finding else { return nil }
    let groups = viewer.viewed.groups
    return groups.indices.contains(index) ? groups[index] : nil
  }

  /// Returns the subscription of the selected line, as an index in the lifecycles.
  private func subscription(_ viewer: Viewer) -> Int? {
    if case .subscription(let index, _) = rows.selected?.content {
      return viewer.log.lifecycles.indices.contains(index) ? index : nil
    }
    return finding(viewer)?.findings.first?.lifecycle
  }

  private func text(_ viewer: Viewer, _ page: Page) -> String? {
    if rows.selected?.content == .head {
      return finding(viewer).map { FindingText(log: viewer.log, page: page).line($0).text }
    }
    return subscription(viewer).map { SubscriptionText(log: viewer.log, page: page).line($0) }
  }

  /// Returns the whole finding as Markdown, or the line of one of its subscriptions.
  func copiedText(in viewer: Viewer) -> String? {
    guard rows.selected?.content == .head, let group = finding(viewer) else {
      return text(viewer, viewer.page.unbounded)
    }
    return FindingMarkdown(log: viewer.log, page: viewer.page).text(group)
  }

  /// The place where it was observed, because that is where the mistake is made, or else its lane.
  func source(in viewer: Viewer) -> SourceTarget {
    guard let index = subscription(viewer) else {
      return viewer.timeline.chosen.map { .lane(of: $0) } ?? .nothing
    }
    let observed = viewer.log.observed(of: viewer.log.lifecycles[index])?.source
    return observed.map { .place(SourcePlace($0)) } ?? .lane(of: index)
  }

  // MARK: Moving

  mutating func move(_ movement: PaneMovement, in viewer: inout Viewer) {
    adapt(to: viewer)
    rows.move(movement, viewer.viewed, height: Self.listHeight(viewer))
    point(in: &viewer)
  }

  mutating func click(_ position: PanePosition, in viewer: inout Viewer) {
    adapt(to: viewer)
    let row = position.row - FindingHead(viewer: viewer).lines.count
    guard row >= 0, rows.all.indices.contains(rows.list.first + row) else { return }
    let clicked = rows.all[rows.list.first + row]
    rows.select(row: rows.list.first + row, viewer.viewed, height: Self.listHeight(viewer))
    point(in: &viewer)
    if clicked.content == .head, position.column < Self.signWidth {
      let isUnfolded = rows.isUnfolded(clicked.finding, viewer.viewed)
      _ = fold(isUnfolded ? .fold : .unfold, in: &viewer)
    }
  }

  mutating func point(in viewer: inout Viewer) {
    if let index = subscription(viewer) { viewer.go(to: index) }
  }

  /// Shows the details of the selected line, which have what keeps it alive.
  mutating func open(in viewer: inout Viewer) {
    adapt(to: viewer)
    guard let text = text(viewer, viewer.page) else { return }
    point(in: &viewer)
    viewer.show(.detail)
    viewer.notice = viewer.notice ?? Notice(text: text)
  }

  mutating func fold(_ change: PaneFold, in viewer: inout Viewer) -> Bool {
    adapt(to: viewer)
    let viewed = viewer.viewed
    let height = Self.listHeight(viewer)
    var isDone = false
    switch change {
    case .toggleAll: isDone = rows.toggleAllFolds(viewed, height: height)
    case .fold, .unfold:
      if let index = rows.selected?.finding {
        isDone = rows.fold(index, change == .fold, viewed, height: height)
        if isDone, change == .fold { point(in: &viewer) }
      }
    }
    if !isDone {
      viewer.notice = Notice(text: change == .unfold ? "nothing to unfold" : "nothing to fold")
    }
    return true
  }

  /// Goes to the first or the last finding, and then from one to the next or to the previous one.
  mutating func go(_ direction: SearchState.Direction, in viewer: inout Viewer) {
    adapt(to: viewer)
    let groups = viewer.viewed.groups
    guard !groups.isEmpty else {
      let isFiltered = !viewer.feed.arrangement.filter.isEmpty
      viewer.notice = Notice(text: isFiltered ? "no findings match the filter" : "no findings")
      return
    }
    let current = hasVisited ? rows.selected?.finding : nil
    let next =
      switch direction {
      case .forward: current.map { ($0 + 1) % groups.count } ?? 0
      case .backward: current.map { ($0 + groups.count - 1) % groups.count } ?? groups.count - 1
      }
    go(to: next, in: &viewer)
  }

  /// Goes to a finding, by its index in the list.
  mutating func go(to index: Int, in viewer: inout Viewer) {
    adapt(to: viewer)
    hasVisited = true
    rows.select(finding: index, viewer.viewed, height: Self.listHeight(viewer))
    point(in: &viewer)
    let text = FindingText(log: viewer.log, page: viewer.page)
    viewer.notice = Notice(text: text.line(viewer.viewed.groups[index]).text)
  }

  // MARK: Lines

  /// Returns the number of lines that are visible at once.
  static func listHeight(_ viewer: Viewer) -> Int {
    max(1, viewer.layout.pane.count - FindingHead(viewer: viewer).lines.count)
  }

  func lines(_ viewer: Viewer) -> [Line] {
    let head = FindingHead(viewer: viewer).lines
    let height = max(1, viewer.layout.pane.count - head.count)
    let list = list(viewer, height: height)
    return head + list + reason(viewer, height: height - list.count)
  }

  /// Returns what keeps the selected line alive, for the lines that the list leaves free.
  private func reason(_ viewer: Viewer, height: Int) -> [Line] {
    guard height > Self.minReasonLines, let index = subscription(viewer) else { return [] }
    let lines =
      if let made, made.subscription == index { made.reason } else {
        DetailText(viewer).reason(of: index)
      }
    guard !lines.isEmpty else { return [] }
    let isWhole = lines.count < height
    let more = Line(viewer.page.cut("more: Enter shows the detail", to: viewer.page.width), .dim)
    return [Line()] + (isWhole ? lines : lines.prefix(height - 2) + [more])
  }

  private static let minReasonLines = 3

  private func list(_ viewer: Viewer, height: Int) -> [Line] {
    let page = viewer.page
    return rows.all.indices.dropFirst(rows.list.first).prefix(height).map { index in
      let line = line(rows.all[index], viewer)
        .cut(to: page.width, ellipsis: page.glyphs.ellipsis)
      guard index == rows.list.row else { return line }
      // Without the focus, the selected line is marked too, because `!` moves to it.
      guard viewer.focus == .pane else { return hasVisited ? line.bold : line }
      return Line(DisplayWidth.pad(line.text, to: page.width), .reversed)
    }
  }

  private func line(_ row: FindingRows.Row, _ viewer: Viewer) -> Line {
    let (page, viewed) = (viewer.page, viewer.viewed)
    guard viewed.groups.indices.contains(row.finding) else { return Line() }
    let group = viewed.groups[row.finding]
    var line = Line()
    switch row.content {
    case .head:
      let isUnfolded = rows.isUnfolded(row.finding, viewed)
      let sign = isUnfolded ? page.glyphs.unfolded : page.glyphs.folded
      line.append(DisplayWidth.pad(group.canUnfold ? sign : "", to: Self.signWidth))
      let text = FindingText(log: viewer.log, page: page, sources: viewer.sources)
      line.append(text.line(group, width: page.width - Self.signWidth))
    case .advice:
      line.append(DisplayWidth.spaces(page.indent(4)))
      line.append(FindingText(log: viewer.log, page: page).advice(group))
    case .subscription(let index, let branches):
      guard viewed.log.lifecycles.indices.contains(index) else { return Line() }
      let lifecycle = viewed.log.lifecycles[index]
      let isSuspect = viewed.suspects.contains(index)
      line.append(DisplayWidth.spaces(page.indent(4)))
      for branch in branches { line.append(page.glyphs.sign(branch), .dim) }
      line.append(
        page.glyphs.sign(lifecycle.state, isSuspect: isSuspect) + " ",
        Glyphs.style(lifecycle.state, isSuspect: isSuspect))
      let text = SubscriptionText(log: viewer.log, page: page)
      line.append(text.line(index, width: page.width - line.columns))
    }
    return line
  }
}

/// The lines above the list of findings, for any selection: the damage of the logs, and what they
/// prove if that is not obvious.
struct FindingHead {
  let viewer: Viewer

  /// The lines, which take up at most half of the pane if there are findings.
  var lines: [Line] {
    let page = viewer.page
    let rows = viewer.layout.pane.count
    // If there is not enough room for both, the first line of the screen contains a short form of
    // the verdict.
    let all = damage.map { Line($0, Glyphs.suspectStyle) } + (verdict.map { [$0] } ?? [])
    let lines = all.flatMap { page.wrap($0.text, $0.spans.first?.style ?? .plain) }
    let maxRows = viewer.viewed.findings.isEmpty ? rows : rows / 2
    guard lines.count > maxRows, maxRows > 0 else { return Array(lines.prefix(maxRows)) }
    let more = page.cut("more: run trace-viewer report", to: page.width)
    return lines.prefix(maxRows - 1) + [Line(more, .dim)]
  }

  private var verdict: Line? {
    let viewed = viewer.viewed
    if viewed.findings.isEmpty, !viewed.arrangement.filter.isEmpty {
      return Line("no findings match the filter", .dim)
    }
    // A growing log can't have a missing end.
    let isOver = !viewer.feed.reading.follows && viewer.feed.reading.isComplete
    guard viewed.findings.isEmpty || (isOver && !viewed.verdict.isWhole) else { return nil }
    return VerdictView(viewer.log, viewed.verdict).line(viewer.page)
  }

  /// A sentence for each kind of damage, with its first location.
  private var damage: [String] {
    guard viewer.viewed.isDamaged else { return [] }
    let log = viewer.log
    return Damage.Kind.allCases.compactMap { kind in
      let found = log.sections.compactMap { section in
        section.damage[kind].map { (file: section.file, tally: $0) }
      }
      guard let first = found.first else { return nil }
      let count = found.reduce(0) { $0 + $1.tally.count }
      let others = found.count - 1
      let more = others > 0 ? " and \(CountText.make(others, "more file"))" : ""
      let name = viewer.page.safe(log.files[first.file].name)
      return "\(name):\(first.tally.firstLine)\(more): \(LogSentences.damage(kind, count))"
    }
  }
}
