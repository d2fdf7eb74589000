import TerminalUI
import ViewerConsole

extension Escaping {
  /// Returns text for use between XML tags, made safe, with its lines kept. Services show it
  /// verbatim in a page or in a log. Characters that XML 1.0 can't contain (most control
  /// characters, even escaped, and U+FFFE and U+FFFF) become visible text such as `^[`.
  static func xmlText(_ text: String) -> String {
    markup(SafeText.makeLines(text))
  }

  /// Returns text for an XML attribute in quotes of either kind, made safe, on one line.
  static func xmlAttribute(_ text: String) -> String {
    markup(SafeText.make(text))
  }

  /// Returns text for use between HTML tags other than `script` and `style`, made safe, with its
  /// lines kept. Right-to-left letters still move their neighbors, so put the text into `bdi`.
  static func htmlText(_ text: String) -> String {
    markup(SafeText.makeLines(text))
  }

  // Escapes that both XML and HTML understand. `>` is escaped too, because XML forbids `]]>`.
  private static func markup(_ safe: String) -> String {
    replace(in: safe) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      case "\u{FFFE}": "&lt;U+FFFE&gt;"
      case "\u{FFFF}": "&lt;U+FFFF&gt;"
      default: nil
      }
    }
  }
}

extension Escaping {
  /// Returns text for use in a quoted string of Graphviz. There, a backslash begins an escape
  /// sequence, and an ampersand begins a character reference.
  static func graphvizText(_ text: String) -> String {
    replace(in: SafeText.make(text)) {
      switch $0 {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "&": "&amp;"
      default: nil
      }
    }
  }
}

extension Escaping {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Returns a path as a URI path. Slashes and unreserved characters (RFC 3986) stay. The UTF-8
  /// bytes of all other characters are percent-encoded, such as `%C3%A9`. The encoding is lossless
  /// for programs, and the result has no characters that need to be made safe.
  static func uriPath(_ path: String) -> String {
    uri(path) { isUnreserved($0) || $0 == UInt8(ascii: "/") }
  }

  /// Returns text as one value of a query or a fragment, with slashes encoded, too.
  static func uriComponent(_ text: String) -> String {
    uri(text, isUnreserved)
  }

  private static func uri(_ text: String, _ staysAsItIs: (UInt8) -> Bool) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if staysAsItIs(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }
}

extension Escaping {
  /// Returns the message of a GitHub workflow command, which follows its last `::`. Each line is
  /// made safe, because the log shows it verbatim and interprets color codes. The lines are kept.
  static func workflowData(_ text: String) -> String {
    workflow(SafeText.makeLines(text), isProperty: false)
  }

  /// Returns the value of a property of a GitHub workflow command, such as `file` or `title`, made
  /// safe, on one line.
  static func workflowProperty(_ text: String) -> String {
    workflow(SafeText.make(text), isProperty: true)
  }

  private static func workflow(_ safe: String, isProperty: Bool) -> String {
    replace(in: safe) { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      case ":" where isProperty: "%3A"
      case "," where isProperty: "%2C"
      default: nil
      }
    }
  }
}

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
