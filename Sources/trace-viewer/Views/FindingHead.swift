import TerminalUI
import TraceAnalysis

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
    let more = page.cut("and more; trace-viewer report tells all", to: viewer.columns)
    return lines.prefix(most - 1) + [Line(more, .dim)]
  }

  private var verdict: Line? {
    let viewed = viewer.viewed
    if viewed.findings.isEmpty, !viewed.arrangement.filter.isEmpty {
      return Line("no findings in what is shown", .dim)
    }
    // A growing log cannot have a missing end.
    let isOver = !viewer.reading.follows && viewer.reading.isComplete
    guard viewed.findings.isEmpty || (isOver && !viewed.verdict.isWhole) else { return nil }
    return VerdictView(viewer.log, viewed.verdict).line(viewer.page)
  }

  /// A sentence for each kind of damage, with its first location.
  private var damage: [String] {
    guard viewer.viewed.isDamaged else { return [] }
    let log = viewer.log
    return Damage.Kind.allCases.compactMap { kind in
      let places = log.sections.compactMap { section in
        section.damage[kind].map { (file: section.file, tally: $0) }
      }
      guard let first = places.first else { return nil }
      let count = places.reduce(0) { $0 + $1.tally.count }
      let others = places.count - 1
      let more = others > 0 ? " and \(CountText.make(others, "more file"))" : ""
      let name = viewer.page.safe(log.files[first.file].name)
      return "\(name):\(first.tally.firstLine)\(more): \(LogSentences.damage(kind, count))"
    }
  }
}

extension Viewer {
  /// The number of findings that are visible at once.
  var findingRows: Int { max(1, layout.pane.count - FindingHead(self).lines.count) }
}
