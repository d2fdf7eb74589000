import TerminalUI

extension Escaping {
  /// Text between the tags of XML, made safe, its lines kept: services show it as it stands, in a page or in a log. What XML
  /// 1.0 cannot carry (most control characters, not even escaped; U+FFFE, U+FFFF) is shown in words like `^[`.
  static func xmlText(_ text: String) -> String {
    markup(SafeText.makeLines(text))
  }

  /// The value of an attribute of XML, between quotes of either kind; made safe, on one line.
  static func xmlAttribute(_ text: String) -> String {
    markup(SafeText.make(text))
  }

  /// Text between the tags of HTML, but not inside `script` or `style`; made safe, its lines kept. Letters that are written from
  /// right to left still move their neighbours: put it into `bdi`.
  static func htmlText(_ text: String) -> String {
    markup(SafeText.makeLines(text))
  }

  // What XML and HTML both understand; `>` too, because `]]>` must not stand in XML.
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
