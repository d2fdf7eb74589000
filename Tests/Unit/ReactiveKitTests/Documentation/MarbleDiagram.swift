import TestSupport

/// A diagram of a documentation page: rows of marbles, some for the inputs and at least one for a
/// result.
///
/// The label of an input is one word. Every other label is the expression that makes the result.
/// Each row begins below the first column of the topmost row, plus one column for each second that
/// its subscription begins later.
struct MarbleDiagram: CustomStringConvertible {
  struct Row {
    let label: String
    /// The second at which the subscription begins.
    let start: Int
    let marbles: String

    /// The second of the last column that is drawn.
    var lastSecond: Int { start + max(0, MarbleDiagram.length(of: marbles) - 1) }

    var isInput: Bool { label.allSatisfy { $0.isLetter } }

    /// The events, without the trailing time.
    var events: String {
      String(marbles.reversed().drop { $0 == "-" }.reversed())
    }
  }

  let page: String
  let line: Int
  let rows: [Row]

  var inputs: [Row] { rows.filter(\.isInput) }
  var results: [Row] { rows.filter { !$0.isInput } }
  var lastSecond: Int { rows.map(\.lastSecond).max() ?? 0 }
  var description: String { "\(page):\(line) \(results.map(\.label).joined(separator: ", "))" }

  /// Reads the lines of a block. `line` is the number of the first line.
  init(page: String, line: Int, lines: [Substring]) {
    self.page = page
    self.line = line
    let parts = lines.map(Self.divide)
    // The column of second 0.
    let origin = parts.map(\.column).min() ?? 0
    rows = parts.map { Row(label: $0.label, start: $0.column - origin, marbles: $0.marbles) }
  }

  /// Splits a line at its last run of spaces into a label and marbles.
  private static func divide(_ line: Substring) -> (label: String, column: Int, marbles: String) {
    let marbles = line.reversed().prefix { $0 != " " }.reversed()
    let column = line.count - marbles.count
    let label = line.prefix(column).reversed().drop { $0 == " " }.reversed()
    return (String(label), column, String(marbles))
  }

  /// Returns the number of seconds that a row takes.
  private static func length(of marbles: String) -> Int {
    // A group and a long element take one second each.
    marbles.replacing(#/\([^)]*\)|\[[^\]]*\]/#, with: "-").count
  }
}
