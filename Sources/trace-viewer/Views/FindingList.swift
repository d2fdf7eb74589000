internal import ReactiveTrace

/// What the rules of `check` found.
struct FindingList {
  private let viewer: Viewer
  private let height: Int

  init(_ viewer: Viewer, _ layout: ViewLayout) {
    self.viewer = viewer
    height = layout.pane.count
  }

  var lines: [Line] {
    let page = viewer.page
    let findings = viewer.viewed.findings
    guard !findings.isEmpty else {
      let isFiltered = !viewer.viewed.arrangement.filter.isEmpty
      let verdict = VerdictView(viewer.log, viewer.viewed.verdict).line(page)
      return isFiltered ? [Line("no findings in what is shown", .dim)] : [verdict]
    }
    let list = viewer.lists.findings
    let text = FindingText(log: viewer.log, page: page)
    return findings.indices.dropFirst(list.first).prefix(height).map { number in
      let line = text.line(findings[number]).cut(to: viewer.columns, ellipsis: page.glyphs.ellipsis)
      guard number == list.row, viewer.focus == .pane else { return line }
      return Line(DisplayWidth.pad(line.text, to: viewer.columns), .reversed)
    }
  }
}
