/// A Markdown table in the syntax of GitHub and GitLab.
struct MarkdownTable {
  struct Column {
    let title: String
    var isFigure = false
  }

  let columns: [Column]
  /// The cells as Markdown. Text from logs is already escaped.
  let rows: [[String]]

  var lines: [String] {
    let head = Self.row(columns.map(\.title))
    let rule = Self.row(columns.map { $0.isFigure ? "---:" : "---" })
    return [head, rule] + rows.map(Self.row)
  }

  static func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }
}
