/// An emulated terminal that turns bytes into cells.
///
/// It supports the sequences of the program and of the shells and editors in tests, and collects
/// all others in `unknown`.
package struct EmulatedScreen {
  /// The width of clusters, which differs between terminals.
  package enum Widths {
    /// Clusters have the width that the program assumes.
    case clusters
    /// Each character has its own width, as in terminals without cluster support.
    case characters
  }

  package struct Cell: Equatable {
    /// Empty for the second half of a wide character.
    package var text = " "
    package var look = EmulatedLook()

    package init(text: String = " ", look: EmulatedLook = EmulatedLook()) {
      self.text = text
      self.look = look
    }
  }

  package struct Position: Equatable {
    package var row = 0
    /// The column, which is one past the last column if the next character wraps.
    package var column = 0

    package init(row: Int = 0, column: Int = 0) {
      self.row = row
      self.column = column
    }
  }

  package var columns: Int
  package var rows: Int
  package let widths: Widths
  package var cells: [[Cell]]
  package var cursor = Position()
  package var look = EmulatedLook()
  /// The scrolling region.
  package var scrolled: ClosedRange<Int>

  /// The main screen while the alternate screen is shown.
  package var mainCells: [[Cell]]?
  package var savedCursor = Position()
  /// The private modes that are on. Wrapping and the cursor are on by default.
  package var modes: Set<Int> = [7, 25]
  package var title = ""
  /// The strings that were put on the clipboard, in base 64.
  package var clipboard: [String] = []
  package var updates = 0
  package var bells = 0
  package var unknown: [String] = []

  package var input = EmulatedInput()
  /// The cell with which a combining mark would combine.
  package var lastPrinted: Position?

  package init(columns: Int, rows: Int, widths: Widths = .clusters) {
    self.columns = columns
    self.rows = rows
    self.widths = widths
    cells = Self.empty(columns, rows)
    scrolled = 0...max(0, rows - 1)
  }

  package static func empty(_ columns: Int, _ rows: Int) -> [[Cell]] {
    Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
  }

  package var isAlternate: Bool { mainCells != nil }
  package var isCursorShown: Bool { modes.contains(25) }
  package var wraps: Bool { modes.contains(7) }
  package var bracketsPastes: Bool { modes.contains(2004) }
  /// A Boolean value that indicates whether an update has begun but not ended, so the screen is
  /// half drawn.
  package var isUpdating: Bool { modes.contains(2026) }
  package var reportsMouse: Bool { modes.contains { (1000...1003).contains($0) } }

  /// The text of all rows, without trailing spaces.
  package var lines: [String] {
    cells.map { row in
      var text = row.reduce(into: "") { $0 += $1.text }
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  package var text: String {
    lines.joined(separator: "\n")
  }

  /// Resizes the window. Rows are cut or added, but not wrapped again.
  package mutating func resize(columns: Int, rows: Int) {
    func fit(_ cells: [[Cell]]) -> [[Cell]] {
      var fitted = Self.empty(columns, rows)
      for (row, line) in cells.prefix(rows).enumerated() {
        fitted[row].replaceSubrange(..<min(columns, line.count), with: line.prefix(columns))
      }
      return fitted
    }
    cells = fit(cells)
    mainCells = mainCells.map(fit)
    self.columns = columns
    self.rows = rows
    scrolled = 0...max(0, rows - 1)
    cursor.row = min(cursor.row, max(0, rows - 1))
    cursor.column = min(cursor.column, max(0, columns - 1))
    lastPrinted = nil
  }

  package mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if let piece = input.take(byte) { apply(piece) }
    }
  }

  private mutating func apply(_ piece: EmulatedInput.Piece) {
    switch piece {
    case .scalar(let scalar): return show(scalar)
    case .control(let byte): control(byte)
    case .escape(let text): escape(text)
    case .sequence(let text): sequence(text)
    case .string(let introducer, let text): string(introducer, text)
    }
    lastPrinted = nil
  }
}
