import TerminalUI
import TraceAnalysis

/// What stands above the list of findings, whatever is selected in it: what is wrong with the lines of the logs, and
/// what they prove, where that is not plain.
struct FindingHead {
  private let viewer: Viewer

  init(_ viewer: Viewer) {
    self.viewer = viewer
  }

  /// Findings have the better half of the pane.
  var lines: [Line] {
    let page = viewer.page
    let rows = viewer.layout.pane.count
    // Where there is not room for both, the first line of the screen says in short what the verdict does.
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
    // While a log grows, there is no end that could be missing.
    let isOver = !viewer.reading.follows && viewer.reading.isComplete
    guard viewed.findings.isEmpty || (isOver && !viewed.verdict.isWhole) else { return nil }
    return VerdictView(viewer.log, viewed.verdict).line(viewer.page)
  }

  /// A sentence for each kind of damage, with the first place.
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
  /// How many findings are in view at once.
  var findingRows: Int { max(1, layout.pane.count - FindingHead(self).lines.count) }
}
