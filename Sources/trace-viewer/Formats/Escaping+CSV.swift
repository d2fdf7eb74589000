extension Escaping {
  /// A field of a CSV file (RFC 4180), for text and not for numbers. Made safe, its lines kept, for it is printed as often as it
  /// is opened. What a spreadsheet would run as a formula gets a `'` before it, which makes text of it.
  static func csvField(_ text: String) -> String {
    let safe = SafeText.makeLines(text)
    let guarded = isFormula(text) || isFormula(safe) ? "'" + safe : safe
    let needsQuotes = guarded.utf8.contains {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A
    }
    // Spaces belong to a field, but not every reader knows.
    let hasSpaces = guarded.utf8.first == 0x20 || guarded.utf8.last == 0x20
    guard needsQuotes || hasSpaces else { return guarded }
    return "\"" + replace(in: guarded) { $0 == "\"" ? "\"\"" : nil } + "\""
  }

  /// Space before it does not keep a spreadsheet from running a formula, nor does it matter which width the sign has.
  private static func isFormula(_ text: String) -> Bool {
    if let first = text.utf8.first, first == 0x09 || first == 0x0D || first == 0x0A { return true }
    switch text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) {
    case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": return true
    default: return false
    }
  }
}
