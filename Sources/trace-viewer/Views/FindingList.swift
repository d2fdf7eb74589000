import TerminalUI
import TraceAnalysis
import TraceFormat

/// The findings of the rules of `check`.
struct FindingList {
  private let viewer: Viewer

  init(_ viewer: Viewer) {
    self.viewer = viewer
  }

  var lines: [Line] {
    let page = viewer.page
    let findings = viewer.viewed.findings
    let head = FindingHead(viewer).lines
    let list = viewer.lists.findings
    let text = FindingText(log: viewer.log, page: page)
    let shown = findings.indices.dropFirst(list.first).prefix(viewer.findingRows)
    return head
      + shown.map { number in
        let line = text.line(findings[number]).cut(
          to: viewer.columns, ellipsis: page.glyphs.ellipsis)
        guard number == list.row, viewer.focus == .pane else { return line }
        return Line(DisplayWidth.pad(line.text, to: viewer.columns), .reversed)
      }
  }
}
