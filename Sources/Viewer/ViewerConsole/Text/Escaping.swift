import TerminalUI

extension Escaping {
  /// Returns text for a cell of a Markdown table or an item of a list: safe and on one line,
  /// because pages and terminals show it verbatim. No character has a special meaning in Markdown
  /// or begins a command of a CI service, and the text contains neither mentions nor links.
  package static func markdownCell(_ text: String) -> String {
    let safe = SafeText.make(text)
    let shown = replace(in: safe) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      // `~~` strikes out, `$` begins a formula.
      case "\\", "|", "`", "*", "_", "[", "]", "~", "$": "\\" + String(scalar)
      default: nil
      }
    }
    return withoutLinks(withoutBlock(shown))
  }

  /// An HTML comment, which pages do not show. It interrupts text that services would turn into a
  /// link. An escape with `\` would not, because services remove it before they search.
  private static let gap = Array("<!-- -->".utf8)

  /// Returns the text with gaps in addresses and mentions. Pages turn addresses into links and
  /// notify people who are mentioned.
  private static func withoutLinks(_ text: String) -> String {
    let utf8 = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(utf8.count + 16)
    for (index, byte) in utf8.enumerated() {
      result.append(byte)
      let rest = utf8[(index + 1)...]
      let isNumbered = rest.first.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
      switch byte {
      case UInt8(ascii: "@"): result += gap
      case UInt8(ascii: ":") where rest.starts(with: "//".utf8): result += gap
      // `#1`, and `GH-1` in any case.
      case UInt8(ascii: "#") where isNumbered: result += gap
      case UInt8(ascii: "-") where isNumbered && ends(utf8[..<index], with: "gh"): result += gap
      case UInt8(ascii: "w"), UInt8(ascii: "W"):
        if rest.first == UInt8(ascii: "."), ends(utf8[...index], with: "www") { result += gap }
      default: break
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func ends(_ bytes: ArraySlice<UInt8>, with word: StaticString) -> Bool {
    let word = "\(word)".utf8
    return bytes.suffix(word.count).map { $0 | 0x20 }.elementsEqual(word)
  }

  /// Returns the text without leading characters that would turn a line into a heading, a list or a
  /// rule.
  private static func withoutBlock(_ text: String) -> String {
    let utf8 = text.utf8
    let start: String.Index = utf8.firstIndex { $0 != 0x20 } ?? utf8.endIndex
    var sign = start
    while sign < utf8.endIndex, UInt8(ascii: "0")...UInt8(ascii: "9") ~= utf8[sign] {
      sign = utf8.index(after: sign)
    }
    guard sign < utf8.endIndex else { return text }
    let signs = sign == start ? "#+-=" : ".)"
    guard signs.utf8.contains(utf8[sign]) else { return text }
    return "\(text[..<sign])\\\(text[sign...])"
  }
}

/// Functions that escape text, one for each kind of destination.
///
/// Functions for text that is shown verbatim make it safe first (`SafeText`), and their comments
/// say so. Text that another program compares changes only in its encoding.
package enum Escaping {
  /// Returns the text with some of its characters replaced.
  package static func replace(
    in text: String, _ replacement: (Unicode.Scalar) -> String?
  ) -> String {
    // The result is an array of bytes, because appending to a view of scalars copies all of it.
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars {
      if let other = replacement(scalar) {
        result.append(contentsOf: other.utf8)
      } else {
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
