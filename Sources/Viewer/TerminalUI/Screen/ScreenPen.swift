/// A writer of cells that tracks the cursor position and the current style.
struct ScreenPen {
  private(set) var bytes: [UInt8] = []
  private let columns: Int
  private let depth: ColorDepth
  private let showsLinks: Bool
  /// The cursor position, or nil if it is unknown: at the beginning, and after the last column was
  /// written.
  private var position: (row: Int, column: Int)?
  private var style = Style.plain
  private var sequence = ""

  init(columns: Int, depth: ColorDepth, showsLinks: Bool) {
    self.showsLinks = showsLinks
    self.columns = columns
    self.depth = depth
  }

  mutating func clear() {
    put("\u{1B}[m\u{1B}[H\u{1B}[2J")
    position = (0, 0)
  }

  mutating func draw(_ diff: RowDiff, row: Int) {
    for run in diff.runs {
      var column = run.lowerBound
      while column < run.upperBound {
        let cell = diff.row.cells[column]
        move(row, column)
        set(cell.style)
        if cell.isUncertain { blank(cell, column) }
        if cell.code < 0x80 {
          bytes.append(UInt8(cell.code))
        } else {
          put(diff.row.text(column))
        }
        let next = column + cell.columns
        position = next < columns ? (row, next) : nil
        // This sets the position of the next cell, regardless of the position that the terminal
        // assumes.
        if cell.isUncertain, next < columns { put("\u{1B}[\(next + 1)G") }
        column += cell.columns
      }
    }
    if let erased = diff.erasedFrom {
      move(row, erased)
      set(.plain)
      put("\u{1B}[K")
    }
  }

  /// Leaves the style plain and the cursor at its final position.
  mutating func finish(at cursor: Frame.Position?) {
    set(.plain)
    if let cursor { move(cursor.row, cursor.column) }
  }

  /// Blanks the columns of the cluster and one more, so that no old content shows if the cluster is
  /// narrower.
  private mutating func blank(_ cell: ScreenCell, _ column: Int) {
    for _ in 0..<min(cell.columns + 1, columns - column) { bytes.append(0x20) }
    put("\u{1B}[\(column + 1)G")
  }

  private mutating func set(_ next: Style) {
    guard next != style else { return }
    if showsLinks, next.link != style.link { put(next.link?.sequence ?? Hyperlink.end) }
    style = next
    let wanted = next.sequence(depth)
    guard wanted != sequence else { return }
    if wanted.isEmpty {
      put("\u{1B}[m")
    } else if sequence.isEmpty {
      put(wanted)
    } else {
      // End the previous style in the same sequence.
      put("\u{1B}[0;")
      bytes.append(contentsOf: wanted.utf8.dropFirst(2))
    }
    sequence = wanted
  }

  private mutating func move(_ row: Int, _ column: Int) {
    if let position, position.row == row, position.column == column { return }
    put(shortestMove(row, column))
    position = (row, column)
  }

  private func shortestMove(_ row: Int, _ column: Int) -> String {
    if let position, position.row == row {
      if column == 0 { return "\r" }
      let right = column - position.column
      if right == 1 { return "\u{1B}[C" }
      if right > 1 { return "\u{1B}[\(right)C" }
      return "\u{1B}[\(column + 1)G"
    }
    if let position, position.row + 1 == row, column == 0 { return "\r\n" }
    if column == 0 { return row == 0 ? "\u{1B}[H" : "\u{1B}[\(row + 1)H" }
    return "\u{1B}[\(row + 1);\(column + 1)H"
  }

  private mutating func put(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}
