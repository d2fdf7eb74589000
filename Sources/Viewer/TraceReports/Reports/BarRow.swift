import TerminalUI
import TraceAnalysis
import TraceWords
import ViewerConsole

/// A row of bars, drawn cell by cell.
struct BarRow {
  let row: Timeline.Row
  let gridColumns: Set<Int>

  func line(_ page: Page) -> Line {
    let glyphs = page.glyphs
    var line = Line()
    for (column, cell) in row.cells.enumerated() {
      let style = cell.bar.map { Glyphs.style($0.state, isSuspect: $0.isSuspect) }
      let color = Style(color: style?.color, shade: style?.shade)
      switch cell.sign {
      case .nothing: line.append(gridColumns.contains(column) ? glyphs.grid : " ", .dim)
      case .line: line.append(glyphs.line, color)
      case .start: line.append(glyphs.start, color)
      case .end: line.append(cell.bar.map { glyphs[$0.state] } ?? " ", style ?? .plain)
      case .suspect: line.append(glyphs.suspect, style ?? .plain)
      case .task(let task):
        line.append(glyphs.sign(task), Glyphs.style(task, in: color))
      case .elements(let count): line.append(glyphs.element(count: count) ?? " ", .bold)
      }
    }
    return line
  }
}
