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
