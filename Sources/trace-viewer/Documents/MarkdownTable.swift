import TerminalUI

/// A table as GitHub and GitLab write it.
struct MarkdownTable {
  struct Column {
    let title: String
    var isFigure = false
  }

  let columns: [Column]
  /// Cells that are Markdown already: texts of logs have been escaped.
  let rows: [[String]]

  var lines: [String] {
    let head = row(columns.map(\.title))
    let rule = row(columns.map { $0.isFigure ? "---:" : "---" })
    return [head, rule] + rows.map(row)
  }

  private func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }
}
