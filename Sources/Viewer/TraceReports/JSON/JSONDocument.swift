import TraceFormat

/// A JSON text that is read whole and strictly: exactly what RFC 8259 allows, with unique keys, at
/// most 64 levels, and an optional byte-order mark. It is for files that people write, so its
/// errors say what to change.
package struct JSONDocument: Equatable, Sendable {
  static let maxLevels = 64

  package let root: JSONValue

  package init(_ bytes: [UInt8]) throws(JSONError) {
    root = try bytes.withUnsafeBufferPointer { bytes throws(JSONError) -> JSONValue in
      guard let start = bytes.baseAddress else { throw JSONDocumentParser.emptyText }
      var parser = JSONDocumentParser(start, count: bytes.count)
      return try parser.document()
    }
  }

  init(_ text: String) throws(JSONError) {
    try self.init(Array(text.utf8))
  }

  /// The root as a node with checked access.
  var node: JSONNode {
    JSONNode(value: root, path: "")
  }
}

/// A value of a JSON text, with its start position.
package struct JSONValue: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    /// The members in the order of the text.
    case object([JSONMember])
    case array([JSONValue])
    case string(String)
    /// A number without a fraction and an exponent that fits in 64 bits.
    case integer(Int)
    case double(Double)
    case bool(Bool)
    case null
  }

  package let content: Content
  let location: TextLocation

  /// Returns the value of a member, or nil if this isn't an object or doesn't have it.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The text, or nil if this isn't a string.
  package var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The name of the type in a sentence.
  package var kind: String {
    switch content {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .integer, .double: "a number"
    case .bool(let value): value ? "true" : "false"
    case .null: "null"
    }
  }
}

package struct JSONMember: Equatable, Sendable {
  package let key: String
  let keyLocation: TextLocation
  package let value: JSONValue
}

/// A position in text. Line and column start at 1. Columns count characters (Unicode scalars).
/// All kinds of line endings are supported.
struct TextLocation: Hashable, Sendable {
  var line: Int
  var column: Int
}

/// The reason that a JSON text was rejected: a code, the position, and a sentence that says what to
/// do.
package struct JSONError: Error, Equatable, CustomStringConvertible {
  struct Code: Equatable, Sendable {
    private let name: String

    /// The text is not JSON.
    static let syntax = Code(name: "syntax")
    /// The text is JSON, but its contents are invalid.
    static let content = Code(name: "content")
  }

  let code: Code
  let location: TextLocation
  let sentence: String

  var line: Int { location.line }
  var column: Int { location.column }

  /// The problem and its position. The description is not yet safe to show, because it may quote
  /// the text. Text with a syntax error is not quoted, because it may come from any file and
  /// contain secrets.
  package var description: String {
    guard code == .content else { return "line \(line), column \(column): \(sentence)" }
    // The sentence contains the line already, next to the member and before the advice.
    return sentence
  }

  /// Returns the description of an error in a file. The position comes first, where editors look
  /// for it.
  package func sentence(in file: String) -> String {
    code == .content ? "\(file):\(line): \(sentence)" : "\(file):\(line):\(column): \(sentence)"
  }

  static func syntax(_ location: TextLocation, _ sentence: String) -> JSONError {
    JSONError(code: .syntax, location: location, sentence: sentence)
  }

  /// Returns an error about a member that JSON allows but the format of the file does not.
  ///
  /// - Parameters:
  ///   - fault: The text after the path, without a period: "must be a string".
  ///   - advice: Further sentences.
  static func content(
    _ path: String, _ location: TextLocation, _ fault: String, advice: String = ""
  ) -> JSONError {
    let advice = advice.isEmpty ? "" : " " + advice
    return JSONError(
      code: .content, location: location,
      sentence: "'\(path)' \(fault) (line \(location.line)).\(advice)")
  }

  /// Returns text for a message, cut to 60 characters because the original may have any length.
  package static func cut(_ text: some StringProtocol) -> String {
    let short = text.unicodeScalars.prefix(60)
    return String(String.UnicodeScalarView(short))
      + (short.endIndex < text.unicodeScalars.endIndex ? "..." : "")
  }
}

/// A parser that keeps all values of text. It reads strings, numbers and words with the cursor
/// that also reads logs, and turns the errors of the cursor into advice.
private struct JSONDocumentParser {
  static let emptyText = JSONError.syntax(
    TextLocation(line: 1, column: 1),
    "The text is empty. It must contain a value, such as {}.")

  private var cursor: JSONCursor
  private var lines: LineCounter
  private var level = 0

  init(_ start: UnsafePointer<UInt8>, count: Int) {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    // A byte-order mark is not a part of the text.
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? start + 3 : start
    cursor = JSONCursor(position: text, end: start + count)
    lines = LineCounter(position: text, end: start + count)
  }

  mutating func document() throws(JSONError) -> JSONValue {
    try checkEncoding()
    try skipSpace()
    if cursor.isAtEnd { throw .syntax(location, Self.emptyText.sentence) }
    let value = try value()
    try skipSpace()
    if !cursor.isAtEnd { throw fault("Expected nothing more after the value, not \(found).") }
    return value
  }

  private func checkEncoding() throws(JSONError) {
    let bytes = rest
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    var count = 0
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { count += scalar.count }
    var lines = lines
    throw .syntax(
      lines.location(of: cursor.position + count),
      "The text is not valid UTF-8 from here on. Save it as UTF-8.")
  }

  // MARK: Values

  private mutating func value() throws(JSONError) -> JSONValue {
    let start = location
    let content: JSONValue.Content
    switch next {
    case UInt8(ascii: "{"):
      content = .object(try nested(at: start) { p throws(JSONError) in try p.members() })
    case UInt8(ascii: "["):
      content = .array(try nested(at: start) { p throws(JSONError) in try p.elements() })
    case UInt8(ascii: "\""): content = .string(try string())
    case let byte? where byte == UInt8(ascii: "-") || 0x30...0x39 ~= byte:
      content = try number()
    default: content = try constant()
    }
    return JSONValue(content: content, location: start)
  }

  private mutating func nested<T>(
    at start: TextLocation, _ body: (inout JSONDocumentParser) throws(JSONError) -> T
  ) throws(JSONError) -> T {
    level += 1
    if level > JSONDocument.maxLevels {
      throw .syntax(
        start, "Objects and arrays are nested more than \(JSONDocument.maxLevels) levels deep.")
    }
    _ = take(next ?? 0)
    let result = try body(&self)
    level -= 1
    return result
  }

  private mutating func members() throws(JSONError) -> [JSONMember] {
    var members: [JSONMember] = []
    var known: [[UInt8]: Int] = [:]
    try skipSpace()
    if take(UInt8(ascii: "}")) { return members }
    while true {
      let start = location
      guard next == UInt8(ascii: "\"") else { throw noKey(isFirst: members.isEmpty) }
      let key = try string()
      if let line = known.updateValue(start.line, forKey: Array(key.utf8)) {
        throw .syntax(
          start,
          "A key occurs twice in one object, in line \(line) and in line \(start.line). Remove one."
        )
      }
      try skipSpace()
      guard take(UInt8(ascii: ":")) else {
        throw fault("Expected ':' after a key, not \(found).")
      }
      try skipSpace()
      members.append(JSONMember(key: key, keyLocation: start, value: try value()))
      try skipSpace()
      if take(UInt8(ascii: "}")) { return members }
      guard take(UInt8(ascii: ",")) else {
        throw fault("Expected ',' or '}' after a value, not \(found).")
      }
      try skipSpace()
    }
  }

  private mutating func elements() throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    try skipSpace()
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      if next == UInt8(ascii: "]") { throw trailingComma() }
      elements.append(try value())
      try skipSpace()
      if take(UInt8(ascii: "]")) { return elements }
      guard take(UInt8(ascii: ",")) else {
        throw fault("Expected ',' or ']' after a value, not \(found).")
      }
      try skipSpace()
    }
  }

  private mutating func string() throws(JSONError) -> String {
    let opening = location
    _ = take(UInt8(ascii: "\""))
    let text: RawText
    do {
      text = try cursor.string()
    } catch {
      throw wrongString(opening)
    }
    guard let offset = text.loneSurrogate else { return text.string }
    throw .syntax(
      lines.location(of: text.start + offset),
      "This is half of a pair of \\u escapes. The other half is missing.")
  }

  private mutating func number() throws(JSONError) -> JSONValue.Content {
    let (start, beginning) = (cursor.position, location)
    let isValid = (try? cursor.skipNumber()) != nil
    let text = String(
      decoding: UnsafeBufferPointer(start: start, count: cursor.position - start), as: UTF8.self)
    let tail = word
    if text == "0" || text == "-0", let first = tail.first, ("0"..."9").contains(first) {
      throw .syntax(beginning, "A number must not begin with extra zeros.")
    }
    guard isValid, tail.isEmpty else {
      throw .syntax(beginning, "This is not a number. Write it like 3, 0.5 or 1e6.")
    }
    // Whole numbers beyond 64 bits become doubles.
    if let integer = Int(text) { return .integer(integer) }
    guard let double = Double(text), double.isFinite else {
      throw .syntax(beginning, "The number is too large.")
    }
    return .double(double)
  }

  private mutating func constant() throws(JSONError) -> JSONValue.Content {
    if next == UInt8(ascii: "'") {
      throw fault("Strings need double quotes (\"), not single quotes.")
    }
    let word = word
    switch word {
    case "true" where cursor.take("true"): return .bool(true)
    case "false" where cursor.take("false"): return .bool(false)
    case "null" where cursor.take("null"): return .null
    case "": throw fault("Expected a value, not \(found).")
    default:
      let constant = ["true", "false", "null"].first { $0 == word.lowercased() }
      let hint = constant.map { "In JSON, it is written '\($0)'." } ?? "Strings need double quotes."
      throw fault("This is not a value. \(hint)")
    }
  }

  private mutating func skipSpace() throws(JSONError) {
    cursor.skipSpace()
    if next == UInt8(ascii: "/") || next == UInt8(ascii: "#") {
      throw fault("JSON does not allow comments. Remove this one.")
    }
  }

  // MARK: Errors

  private mutating func wrongString(_ opening: TextLocation) -> JSONError {
    switch next {
    // A string can't span lines, so the missing quote belongs on this line.
    case nil, UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      return .syntax(opening, "The string that begins here has no closing quote.")
    case UInt8(ascii: "\\"):
      return fault(
        rest.dropFirst().first == UInt8(ascii: "u")
          ? "\\u must be followed by four hexadecimal digits."
          : "This is not a valid escape. Write \\\\ for a backslash.")
    case let byte?:
      return fault(
        "A string must not contain a control character. Write \(Self.escape(byte)) instead.")
    }
  }

  private static func escape(_ byte: UInt8) -> String {
    switch byte {
    case 0x08: return "\\b"
    case 0x09: return "\\t"
    case 0x0C: return "\\f"
    default: return "\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
    }
  }

  private mutating func noKey(isFirst: Bool) -> JSONError {
    if next == UInt8(ascii: "}"), !isFirst { return trailingComma() }
    return fault("Expected a key in double quotes\(isFirst ? " or '}'" : ""), not \(found).")
  }

  private mutating func trailingComma() -> JSONError {
    fault("A comma must not follow the last value. Remove the one before \(found).")
  }

  private mutating func fault(_ sentence: String) -> JSONError {
    .syntax(location, sentence)
  }

  // MARK: Position

  private var location: TextLocation {
    mutating get { lines.location(of: cursor.position) }
  }

  /// The next byte, or `nil` at the end.
  private var next: UInt8? {
    cursor.isAtEnd ? nil : cursor.position.pointee
  }

  private var rest: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: cursor.position, count: cursor.end - cursor.position)
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    (try? cursor.take(byte)) ?? false
  }

  /// The letters, digits and signs at the cursor, for a message about an unknown word.
  private var word: String {
    let scalars = String(decoding: rest.prefix(80), as: UTF8.self).unicodeScalars.prefix {
      $0.properties.isAlphabetic || "0123456789+-._$".unicodeScalars.contains($0)
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// A description of the next character for a message. Only the punctuation of JSON is quoted,
  /// because the file may be any file and contain secrets.
  private var found: String {
    switch String(decoding: rest.prefix(4), as: UTF8.self).unicodeScalars.first {
    case nil: "the end of the text"
    case "\n", "\r": "the end of the line"
    case let mark? where "{}[],:\"".unicodeScalars.contains(mark): "'\(mark)'"
    default: "another character"
    }
  }

  /// A counter of lines and columns that only moves forward.
  private struct LineCounter {
    private var position: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private var location = TextLocation(line: 1, column: 1)

    init(position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
      self.position = position
      self.end = end
    }

    mutating func location(of target: UnsafePointer<UInt8>) -> TextLocation {
      while position < target {
        let byte = position.pointee
        position += 1
        let next = position < end ? position.pointee : 0
        let endsLine =
          byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && next != UInt8(ascii: "\n"))
        if endsLine {
          location = TextLocation(line: location.line + 1, column: 1)
        } else if next & 0xC0 != 0x80 {
          // The previous byte was the last one of a character.
          location.column += 1
        }
      }
      return location
    }
  }
}
