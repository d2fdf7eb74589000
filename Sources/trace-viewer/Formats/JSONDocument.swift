import TerminalUI

/// A JSON text that is read whole and strictly: exactly what RFC 8259 allows, with unique keys, at
/// most 64 levels, and an optional byte-order mark. It is for files that people write, so its
/// errors say what to change.
struct JSONDocument: Equatable, Sendable {
  static let mostLevels = 64

  let root: JSONValue

  init(_ bytes: [UInt8]) throws(JSONError) {
    if let place = JSONDocument.firstThatIsNotUTF8(bytes) {
      throw .syntax(place, "The text is not UTF-8 from here on; save it as UTF-8.")
    }
    var parser = JSONParser(bytes)
    root = try parser.document()
  }

  init(_ text: String) throws(JSONError) {
    try self.init(Array(text.utf8))
  }

  /// The root as a node with checked access.
  var node: JSONNode {
    JSONNode(value: root, path: "")
  }

  private static func firstThatIsNotUTF8(_ bytes: [UInt8]) -> TextPlace? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var scanner = JSONScanner(bytes)
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) {
      for _ in scalar { scanner.advance() }
    }
    return scanner.place
  }
}
