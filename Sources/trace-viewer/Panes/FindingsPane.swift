import TerminalUI
import TraceAnalysis

extension PaneID {
  static let findings = PaneID(title: "Findings")
}

/// The pane with the findings of the rules of `check`, and the damage of the log above them.
struct FindingsPane: Pane {
  static let id = PaneID.findings
  static let help = "list the findings of check, and the damage"

  private(set) var list = ListPosition()
  private var hasVisited = false

  private func selected(_ viewer: Viewer) -> Finding? {
    let findings = viewer.viewed.findings
    return findings.indices.contains(list.row) ? findings[list.row] : nil
  }

  mutating func move(_ movement: PaneMovement, in viewer: inout Viewer) {
    let count = viewer.viewed.findings.count
    list.go(
      to: movement.target(from: list.row, count: count), count: count,
      height: Self.listHeight(viewer))
  }

  mutating func click(row: Int, in viewer: inout Viewer) {
    let row = row - FindingHead(viewer).lines.count
    guard row >= 0 else { return }
    list.go(
      to: list.first + row, count: viewer.viewed.findings.count, height: Self.listHeight(viewer))
  }

  mutating func open(in viewer: inout Viewer) {
    go(to: list.row, in: &viewer)
    // A list that covers the timeline would hide the finding there.
    if viewer.layout.timeline.isEmpty { viewer.focus = .timeline }
  }

  /// Goes to the first finding, and then from one to the next.
  mutating func goToNext(in viewer: inout Viewer) {
    let count = viewer.viewed.findings.count
    guard count > 0 else {
      let isFiltered = !viewer.feed.arrangement.filter.isEmpty
      viewer.notice = Notice(text: isFiltered ? "no findings match the filter" : "no findings")
      return
    }
    let next = hasVisited ? (list.row + 1) % count : 0
    hasVisited = true
    go(to: next, in: &viewer)
  }

  private mutating func go(to row: Int, in viewer: inout Viewer) {
    let findings = viewer.viewed.findings
    guard findings.indices.contains(row) else { return }
    list.go(to: row, count: findings.count, height: Self.listHeight(viewer))
    viewer.go(to: findings[row].lifecycle)
    let text = FindingText(log: viewer.log, page: viewer.page)
    viewer.notice = Notice(text: text.line(findings[row]).text)
  }

  func copiedText(in viewer: Viewer) -> String? {
    selected(viewer).map {
      FindingText(log: viewer.log, page: viewer.page.unbounded).line($0).text
    }
  }

  func subscriptionToOpen(in viewer: Viewer) -> Int? {
    selected(viewer)?.lifecycle ?? viewer.timeline.chosen
  }

  // MARK: Lines

  /// Returns the number of findings that are visible at once.
  static func listHeight(_ viewer: Viewer) -> Int {
    max(1, viewer.layout.pane.count - FindingHead(viewer).lines.count)
  }

  func lines(_ viewer: Viewer) -> [Line] {
    let page = viewer.page
    let findings = viewer.viewed.findings
    let head = FindingHead(viewer).lines
    let height = max(1, viewer.layout.pane.count - head.count)
    let text = FindingText(log: viewer.log, page: page)
    return head
      + findings.indices.dropFirst(list.first).prefix(height).map { row in
        let line = text.line(findings[row]).cut(to: page.width, ellipsis: page.glyphs.ellipsis)
        guard row == list.row, viewer.focus == .pane else { return line }
        return Line(DisplayWidth.pad(line.text, to: page.width), .reversed)
      }
  }
}

/// The lines above the list of findings, for any selection: the damage of the logs, and what they
/// prove if that is not obvious.
struct FindingHead {
  private let viewer: Viewer

  init(_ viewer: Viewer) {
    self.viewer = viewer
  }

  /// The lines, which take up at most half of the pane if there are findings.
  var lines: [Line] {
    let page = viewer.page
    let rows = viewer.layout.pane.count
    // If there is not enough room for both, the first line of the screen contains a short form of
    // the verdict.
    let all = damage.map { Line($0, Glyphs.suspectStyle) } + (verdict.map { [$0] } ?? [])
    let lines = all.flatMap { page.wrap($0.text, $0.spans.first?.style ?? .plain) }
    let most = viewer.viewed.findings.isEmpty ? rows : rows / 2
    guard lines.count > most, most > 0 else { return Array(lines.prefix(most)) }
    let more = page.cut("more: run trace-viewer report", to: page.width)
    return lines.prefix(most - 1) + [Line(more, .dim)]
  }

  private var verdict: Line? {
    let viewed = viewer.viewed
    if viewed.findings.isEmpty, !viewed.arrangement.filter.isEmpty {
      return Line("no findings match the filter", .dim)
    }
    // A growing log cannot have a missing end.
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
