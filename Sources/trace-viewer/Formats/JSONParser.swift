import TerminalUI

/// A parser for the grammar of JSON, based on a `JSONScanner`.
struct JSONParser {
  private var scanner: JSONScanner
  private var level = 0

  init(_ bytes: [UInt8]) {
    scanner = JSONScanner(bytes)
  }

  mutating func document() throws(JSONError) -> JSONValue {
    try skipSpace()
    if scanner.isAtEnd { throw error("The text is empty; it must hold a value, such as {}.") }
    let value = try value()
    try skipSpace()
    if !scanner.isAtEnd {
      throw error("Expected nothing more after the value, not \(scanner.found).")
    }
    return value
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    let place = scanner.place
    let content: JSONValue.Content
    switch scanner.next {
    case UInt8(ascii: "{"):
      content = .object(try nested(at: place) { p throws(JSONError) in try p.members() })
    case UInt8(ascii: "["):
      content = .array(try nested(at: place) { p throws(JSONError) in try p.elements() })
    case UInt8(ascii: "\""): content = .string(try JSONStringParser.string(&scanner))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      content = try JSONNumberParser.number(&scanner)
    default: content = try word()
    }
    return JSONValue(content: content, place: place)
  }

  private mutating func nested<T>(
    at place: TextPlace, _ body: (inout JSONParser) throws(JSONError) -> T
  ) throws(JSONError) -> T {
    level += 1
    if level > JSONDocument.mostLevels {
      throw .syntax(
        place,
        "Objects and arrays lie in each other more than \(JSONDocument.mostLevels) levels deep.")
    }
    scanner.advance()
    let result = try body(&self)
    level -= 1
    return result
  }

  private mutating func members() throws(JSONError) -> [JSONMember] {
    var members: [JSONMember] = []
    var lines: [[UInt8]: Int] = [:]
    try skipSpace()
    if scanner.skip(UInt8(ascii: "}")) { return members }
    while true {
      let place = scanner.place
      guard scanner.next == UInt8(ascii: "\"") else { throw noKey(isFirst: members.isEmpty) }
      let key = try JSONStringParser.string(&scanner)
      if let line = lines.updateValue(place.line, forKey: Array(key.utf8)) {
        throw .syntax(
          place,
          "A key stands twice in one object, in line \(line) and in line \(place.line); keep one."
        )
      }
      try skipSpace()
      guard scanner.skip(UInt8(ascii: ":")) else {
        throw error("Expected ':' after a key, not \(scanner.found).")
      }
      try skipSpace()
      members.append(JSONMember(key: key, keyPlace: place, value: try value()))
      try skipSpace()
      if scanner.skip(UInt8(ascii: "}")) { return members }
      guard scanner.skip(UInt8(ascii: ",")) else {
        throw error("Expected ',' or '}' after a value, not \(scanner.found).")
      }
      try skipSpace()
    }
  }

  private mutating func elements() throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    try skipSpace()
    if scanner.skip(UInt8(ascii: "]")) { return elements }
    while true {
      if scanner.next == UInt8(ascii: "]") { throw trailingComma() }
      elements.append(try value())
      try skipSpace()
      if scanner.skip(UInt8(ascii: "]")) { return elements }
      guard scanner.skip(UInt8(ascii: ",")) else {
        throw error("Expected ',' or ']' after a value, not \(scanner.found).")
      }
      try skipSpace()
    }
  }

  private mutating func word() throws(JSONError) -> JSONValue.Content {
    let place = scanner.place
    let found = scanner.found
    if scanner.next == UInt8(ascii: "'") {
      throw error("Strings stand between double quotes (\"), not single ones.")
    }
    let word = scanner.word()
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case "": throw .syntax(place, "Expected a value, not \(found).")
    default:
      let words = ["true", "false", "null"]
      let hint =
        words.first { $0 == word.lowercased() }.map { " JSON writes it '\($0)'." }
        ?? " Strings stand between double quotes."
      throw .syntax(place, "This is no value.\(hint)")
    }
  }

  private mutating func skipSpace() throws(JSONError) {
    scanner.skipSpace()
    if scanner.next == UInt8(ascii: "/") || scanner.next == UInt8(ascii: "#") {
      throw error("JSON has no comments; take this one out.")
    }
  }

  private func noKey(isFirst: Bool) -> JSONError {
    if scanner.next == UInt8(ascii: "}"), !isFirst { return trailingComma() }
    return error(
      "Expected a key between double quotes\(isFirst ? " or '}'" : ""), not \(scanner.found).")
  }

  private func trailingComma() -> JSONError {
    error("No comma may stand after the last value; take out the one before \(scanner.found).")
  }

  private func error(_ sentence: String) -> JSONError {
    .syntax(scanner.place, sentence)
  }
}
