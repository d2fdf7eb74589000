import TerminalUI
import ViewerConsole

/// Writes HTML. All text and all attribute values are made safe, put on one line and escaped, so
/// that text from logs can't become markup.
struct HTMLWriter {
  typealias Attributes = KeyValuePairs<StaticString, String?>

  private(set) var bytes: [UInt8] = []

  /// Writes an element. Attributes without a value are omitted.
  mutating func element(
    _ name: StaticString, _ attributes: Attributes = [:],
    _ content: (inout HTMLWriter) throws -> Void
  ) rethrows {
    open(name, attributes)
    try content(&self)
    write("</")
    write(name)
    write(">")
  }

  /// Writes an element that contains only text.
  mutating func element(_ name: StaticString, _ attributes: Attributes = [:], text: String) {
    element(name, attributes) { $0.text(text) }
  }

  mutating func text(_ text: String) {
    let safe = SafeText.make(text)
    // Most text is plain.
    if safe.utf8.allSatisfy(Self.isPlain) {
      bytes.append(contentsOf: safe.utf8)
    } else {
      bytes.append(contentsOf: Escaping.xmlAttribute(safe).utf8)
    }
  }

  /// Writes text whose direction doesn't affect the text around it.
  mutating func isolated(_ text: String, _ attributes: Attributes = [:]) {
    element("bdi", attributes, text: text)
  }

  /// Starts a new line in the source of the page, or in a preformatted element.
  mutating func newline() {
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func open(_ name: StaticString, _ attributes: Attributes) {
    write("<")
    write(name)
    for case (let key, let value?) in attributes {
      write(" ")
      write(key)
      write("=\"")
      text(value)
      write("\"")
    }
    write(">")
  }

  private mutating func write(_ markup: StaticString) {
    markup.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      false
    default: byte >= 0x20 && byte < 0x7F
    }
  }
}
