import TerminalUI
import ViewerConsole

extension Escaping {
  /// Returns text as a field of a CSV file (RFC 4180). Use it for text and not for numbers. A CSV
  /// reader gets back every character: newlines, tabs and other control characters are kept
  /// between quotes.
  ///
  /// Text that a spreadsheet would run as a formula gets a `'` before it. So does text that already
  /// has one or more `'` before a formula. To restore the text, remove one `'` if a formula follows
  /// the last of them.
  static func csvField(_ text: String) -> String {
    quoted(isFormula(text) ? "'" + text : text)
  }

  /// Returns text as a CSV field for a terminal. Characters that a terminal would interpret are
  /// replaced with visible text.
  static func shownCSVField(_ text: String) -> String {
    let safe = SafeText.makeLines(text)
    // The visible replacement must neither hide a formula nor create one.
    return quoted(isFormula(text) || isFormula(safe) ? "'" + safe : safe)
  }

  private static func quoted(_ text: String) -> String {
    guard needsQuotes(text) else { return text }
    return "\"" + replace(in: text) { $0 == "\"" ? "\"\"" : nil } + "\""
  }

  private static func needsQuotes(_ text: String) -> Bool {
    // Spaces belong to a field, but not every reader preserves them.
    if text.utf8.first == 0x20 || text.utf8.last == 0x20 { return true }
    var isASCII = true
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "\""), 0..<0x20, 0x7F: return true
      case 0x80...: isASCII = false
      default: break
      }
    }
    // Some readers end a line at any of these characters.
    return !isASCII
      && text.unicodeScalars.contains {
        $0.value < 0xA0 && $0.value > 0x7F || $0 == "\u{2028}" || $0 == "\u{2029}"
      }
  }

  /// Reports whether text is a number as programs write it. A spreadsheet reads it as a number,
  /// so there is nothing to run.
  private static func isNumber(_ text: Substring) -> Bool {
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

  /// Reports whether a spreadsheet would run text as a formula. Leading white space and invisible
  /// characters do not prevent that, and full-width signs count too. A lone `-` and a number are
  /// harmless.
  private static func isFormula(_ text: String) -> Bool {
    // The text is compared by scalar, because a combining mark after a `'` belongs to the text that
    // follows.
    let rest = Substring(text.unicodeScalars.drop { $0 == "'" })
    guard let byte = rest.utf8.first else { return false }
    switch byte {
    case 0x09, 0x0A, 0x0D: return true
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): return false
    default: break
    }
    if rest == "-" || isNumber(rest) { return false }
    let first = rest.unicodeScalars.first {
      !$0.properties.isWhitespace && ![.control, .format].contains($0.properties.generalCategory)
    }
    switch first {
    case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": return true
    default: return false
    }
  }
}
