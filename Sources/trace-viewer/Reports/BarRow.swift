import TerminalUI
import TraceAnalysis

/// A row of bars, drawn cell by cell.
struct BarRow {
  let row: Timeline.Row
  let columns: Int
  let gridColumns: Set<Int>

  func line(_ page: Page) -> Line {
    let glyphs = page.glyphs
    var line = Line()
    var column = 0
    for bar in row.bars.sorted(by: { $0.columns.lowerBound < $1.columns.lowerBound }) {
      background(&line, column..<bar.columns.lowerBound, glyphs)
      let style = bar.isSuspect ? Glyphs.suspectStyle : Glyphs.style(bar.state)
      for cell in bar.columns {
        if cell == bar.columns.upperBound, !bar.isCutRight {
          line.append(bar.isSuspect ? glyphs.suspect : glyphs[bar.state], style)
        } else if let element = glyphs.element(count: row.elements[cell]) {
          line.append(element, .bold)
        } else {
          let isFirst = cell == bar.columns.lowerBound && !bar.isCutLeft
          line.append(isFirst ? glyphs.start : glyphs.line, Style(color: style.color))
        }
      }
      column = bar.columns.upperBound + 1
    }
    background(&line, column..<columns, glyphs)
    return line
  }

  private func background(_ line: inout Line, _ cells: Range<Int>, _ glyphs: Glyphs) {
    for cell in cells {
      line.append(gridColumns.contains(cell) ? glyphs.grid : " ", .dim)
    }
  }
}
