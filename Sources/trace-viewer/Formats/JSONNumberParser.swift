import TerminalUI

/// A parser for numbers, whose grammar is narrower than that of Swift.
enum JSONNumberParser {
  static func number(_ scanner: inout JSONScanner) throws(JSONError) -> JSONValue.Content {
    let place = scanner.place
    let start = scanner.index
    var isWhole = true
    _ = scanner.skip(UInt8(ascii: "-"))
    let startsWithZero = scanner.next == UInt8(ascii: "0")
    let count = digits(&scanner)
    var isValid = count > 0
    if startsWithZero, count > 1 {
      throw .syntax(place, "A number has no zeros before its other digits.")
    }
    if scanner.skip(UInt8(ascii: ".")) {
      isWhole = false
      isValid = digits(&scanner) > 0 && isValid
    }
    if scanner.next | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      scanner.advance()
      if !scanner.skip(UInt8(ascii: "+")) { _ = scanner.skip(UInt8(ascii: "-")) }
      isValid = digits(&scanner) > 0 && isValid
    }
    let tail = scanner.word()
    let text = String(decoding: scanner.bytes[start..<scanner.index], as: UTF8.self)
    guard isValid, tail.isEmpty else {
      throw .syntax(place, "This is no number; write it like 3, 0.5 or 1e6.")
    }
    // Whole numbers beyond 64 bits become doubles.
    if isWhole, let integer = Int(text) { return .integer(integer) }
    guard let double = Double(text), double.isFinite else {
      throw .syntax(place, "The number is too large.")
    }
    return .double(double)
  }

  private static func digits(_ scanner: inout JSONScanner) -> Int {
    let start = scanner.index
    while UInt8(ascii: "0")...UInt8(ascii: "9") ~= scanner.next { scanner.advance() }
    return scanner.index - start
  }
}
