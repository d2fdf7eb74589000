package import TerminalUI
package import TraceAnalysis
import TraceFormat
import TraceWords
package import ViewerConsole

/// A marble diagram with a row for each subscription. Elements and ends are in the columns of their
/// times.
package struct MarblesView {
  let log: LogAnalysis
  let diagram: MarbleDiagram

  package init(log: LogAnalysis, diagram: MarbleDiagram) {
    self.log = log
    self.diagram = diagram
  }

  private static let gap = 2

  package func lines(_ page: Page) -> [Line] {
    guard !diagram.rows.isEmpty else {
      return page.wrap(
        log.lifecycles.isEmpty
          ? "The log has no subscriptions. Add .lane(\"name\") to a pipeline to see it."
          : "None of the \(CountText.make(log.lifecycles.count, "subscription")) in the log"
            + " matches the lanes and times.")
    }
    let depths = diagram.rows.map { min($0.depth, LaneTree.deepest) }
    let names = zip(diagram.rows, TreeBranches.of(depths: depths)).map { label($0, $1, page) }
    let maxWidth = max(page.width * 35 / 100, min(6, page.width / 3))
    let labelWidth = min(names.map { DisplayWidth.columns(of: $0) }.max() ?? 0, maxWidth)
    let room = max(1, page.width - labelWidth - MarblesView.gap)
    let rows = diagram.rows.map { MarbleRow($0, diagram.window, page) }
    let columns = MarbleColumns(rows, width: room)

    var lines = [labeled("", Line(axis(columns, room, page), .dim), labelWidth, page)]
    for (row, name) in zip(rows.indices, names) {
      lines.append(
        labeled(
          page.cutMiddle(name, to: labelWidth), line(row, rows[row], columns), labelWidth, page))
    }
    if diagram.hidden > 0 {
      lines += page.wrap(
        "+\(CountText.make(diagram.hidden, "more subscription")); --limit=0 shows all, --lane=NAME"
          + " selects a lane", .dim)
    }
    let legend = MarbleSymbols.legend(diagram, hasFolds: columns.hasFolds, page)
    return legend.isEmpty ? lines : lines + [Line()] + legend
  }

  private func label(_ row: MarbleDiagram.Row, _ branches: [TreeBranch], _ page: Page) -> String {
    let lifecycle = log.lifecycles[row.index]
    return page.glyphs.text(branches)
      + page.safe("\(lifecycle.site.lane) \(log.name(of: lifecycle))")
  }

  private func labeled(_ name: String, _ cells: Line, _ width: Int, _ page: Page) -> Line {
    var line = Line(name)
    line.pad(to: width + MarblesView.gap)
    line.append(cells)
    return line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)
  }

  private func line(_ number: Int, _ row: MarbleRow, _ columns: MarbleColumns) -> Line {
    let life = row.life(columns.spans)
    var line = Line()
    func fill(_ count: Int, _ isAlive: Bool) {
      let sign = isAlive ? MarbleSymbols.time : " "
      line.append(String(repeating: sign, count: max(0, count)))
    }
    var rest = columns.cells[number][...]
    for column in columns.widths.indices {
      let cell = rest.first?.column == column ? rest.removeFirst().cell : MarbleColumns.Cell()
      let empty = columns.widths[column] - DisplayWidth.columns(of: cell.text)
      let isLast = column == life.upperBound
      // An active subscription continues to the edge.
      let reachesEdge = isLast && row.state == .active && !row.continuesAfterDiagram
      for (index, piece) in cell.pieces.enumerated() {
        if reachesEdge, index == cell.pieces.count - 1 { fill(empty, true) }
        line.append(piece.text, piece.style)
      }
      if !reachesEdge {
        fill(empty, life.contains(column) && (!isLast || row.continuesAfterDiagram))
      }
      if column < columns.between.count {
        fill(columns.between[column], life.contains(column) && !isLast)
      }
    }
    return line
  }

  /// Returns the times of columns where there is room for them.
  private func axis(_ columns: MarbleColumns, _ room: Int, _ page: Page) -> String {
    var text = ""
    var position = 0
    let starts = columns.spans.map(\.lowerBound)
    // Neighbors in the picture are at least this far apart.
    let step = zip(starts.dropFirst(), starts).map { $0 - min($0, $1) }.filter { $0 > 0 }.min()
    for (column, span) in columns.spans.enumerated() {
      let name = AxisText(page).name(of: Nanoseconds(span.lowerBound), step: step ?? 0)
      let end = DisplayWidth.columns(of: text)
      if text.isEmpty || position >= end + 2, position + DisplayWidth.columns(of: name) <= room {
        text = DisplayWidth.pad(text, to: position) + name
      }
      position +=
        columns.widths[column] + (column < columns.between.count ? columns.between[column] : 0)
    }
    return text
  }
}
