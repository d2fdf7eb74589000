extension Escaping {
  /// A field of a CSV file (RFC 4180), for text and not for numbers. Made safe, its lines kept, for it is printed as often as it
  /// is opened. What a spreadsheet would run as a formula gets a `'` before it, which makes text of it; a
  /// number with a sign is none.
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

  /// A number as programs write them, which a spreadsheet reads as one: there is nothing in it to run.
  private static func isNumber(_ text: String) -> Bool {
    var rest = text.utf8[...]
    func takeSign() {
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    }
    func takeDigits() -> Bool {
      let count = rest.count
      rest = rest.drop { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      return rest.count < count
    }
    takeSign()
    guard takeDigits() else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard takeDigits() else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      takeSign()
      guard takeDigits() else { return false }
    }
    return rest.isEmpty
  }

  /// Space before it does not keep a spreadsheet from running a formula, nor does it matter which width the sign has.
  private static func isFormula(_ text: String) -> Bool {
    if let first = text.utf8.first, first == 0x09 || first == 0x0D || first == 0x0A { return true }
    if isNumber(text) { return false }
    switch text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) {
    case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": return true
    default: return false
    }
  }
}
