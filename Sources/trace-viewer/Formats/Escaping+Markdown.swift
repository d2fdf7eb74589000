extension Escaping {
  /// Text in the cell of a Markdown table, made safe, on one line: pages show it as it stands, and so does whoever prints the
  /// file. No character of it means anything to Markdown, and none of it begins a command of a CI service.
  static func markdownCell(_ text: String) -> String {
    replace(in: SafeText.make(text)) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      // `~~` strikes out, `$` begins a formula.
      case "\\", "|", "`", "*", "_", "[", "]", "~", "$": "\\" + String(scalar)
      default: nil
      }
    }
  }
}
