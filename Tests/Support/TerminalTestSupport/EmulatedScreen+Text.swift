import TerminalUI

extension EmulatedScreen {
  mutating func show(_ scalar: Unicode.Scalar) {
    if joins(scalar) { return }
    let width = DisplayWidth.columns(of: Character(scalar))
    guard width > 0, width <= columns, rows > 0 else { return }
    if cursor.column + width > columns {
      if wraps {
        cursor.column = 0
        lineFeed()
      } else {
        cursor.column = columns - width
      }
    }
    write(String(scalar), width: width, at: cursor)
    lastPrinted = cursor
    cursor.column += width
    if !wraps { cursor.column = min(cursor.column, columns) }
  }

  /// Adds a character to the previous cluster if they combine.
  private mutating func joins(_ scalar: Unicode.Scalar) -> Bool {
    guard let last = lastPrinted else { return false }
    var text = cells[last.row][last.column].text
    text.unicodeScalars.append(scalar)
    switch widths {
    case .characters:
      guard DisplayWidth.columns(of: Character(scalar)) == 0 else { return false }
      cells[last.row][last.column].text = text
    case .clusters:
      guard text.count == 1 else { return false }
      let width = DisplayWidth.columns(of: text)
      guard last.column + width <= columns else { return true }
      write(text, width: width, at: last)
      cursor.column = last.column + width
    }
    return true
  }

  private mutating func write(_ text: String, width: Int, at place: Position) {
    clearHalves(row: place.row, from: place.column, to: place.column + width)
    cells[place.row][place.column] = Cell(text: text, look: look)
    if width == 2 { cells[place.row][place.column + 1] = Cell(text: "", look: look) }
  }

  /// Blanks the other halves of wide characters that are partly overwritten.
  mutating func clearHalves(row: Int, from start: Int, to end: Int) {
    if start > 0, start < columns, cells[row][start].text.isEmpty {
      cells[row][start - 1].text = " "
    }
    if end < columns, cells[row][end].text.isEmpty { cells[row][end].text = " " }
  }

  /// Erases cells. Like in most terminals, erased cells have the default style.
  mutating func erase(row: Int, from start: Int, to end: Int) {
    guard start < end, cells.indices.contains(row) else { return }
    clearHalves(row: row, from: start, to: end)
    for column in start..<min(end, columns) { cells[row][column] = Cell() }
  }

  mutating func lineFeed() {
    if cursor.row == scrolled.upperBound {
      scroll(1)
    } else {
      cursor.row = min(cursor.row + 1, rows - 1)
    }
  }

  /// Scrolls up, or down if the count is negative.
  mutating func scroll(_ count: Int, from top: Int? = nil) {
    let first = top ?? scrolled.lowerBound
    let blank = Array(repeating: Cell(), count: columns)
    for _ in 0..<min(abs(count), rows) {
      if count > 0 {
        cells.remove(at: first)
        cells.insert(blank, at: scrolled.upperBound)
      } else {
        cells.remove(at: scrolled.upperBound)
        cells.insert(blank, at: first)
      }
    }
  }
}
