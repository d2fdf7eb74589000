import TerminalUI

/// A parser for a string, from its opening quote to its closing quote.
enum JSONStringParser {
  static func string(_ scanner: inout JSONScanner) throws(JSONError) -> String {
    let opening = scanner.place
    scanner.advance()
    var text: [UInt8] = []
    while true {
      let byte = scanner.next
      switch byte {
      case UInt8(ascii: "\""):
        scanner.advance()
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text.append(contentsOf: String(try escape(&scanner)).utf8)
      case 0..<0x20:
        // A string cannot span lines, so the missing quote belongs on this line.
        if scanner.isAtEnd || byte == 0x0A || byte == 0x0D {
          throw .syntax(opening, "The string that begins here has no closing quote.")
        }
        throw .syntax(
          scanner.place, "A string must not hold a control character; write \(spelling(byte)).")
      default:
        text.append(byte)
        scanner.advance()
      }
    }
  }

  private static func escape(_ scanner: inout JSONScanner) throws(JSONError) -> Unicode.Scalar {
    let place = scanner.place
    scanner.advance()
    let letter = scanner.character
    scanner.advance()
    switch letter {
    case "\"", "\\", "/": return letter ?? "/"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": break
    default:
      throw .syntax(
        place, "The backslash means nothing before this character; write \\\\ for a backslash.")
    }
    let first = try unit(&scanner, place)
    if let scalar = Unicode.Scalar(first) { return scalar }
    if UTF16.isLeadSurrogate(first), scanner.skip(UInt8(ascii: "\\")),
      scanner.skip(UInt8(ascii: "u"))
    {
      let second = try unit(&scanner, place)
      if UTF16.isTrailSurrogate(second) {
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
      }
    }
    throw .syntax(place, "This is half of a pair of \\u escapes; the other half is missing.")
  }

  private static func unit(
    _ scanner: inout JSONScanner, _ place: TextPlace
  ) throws(JSONError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(scanner.next)).hexDigitValue else {
        throw .syntax(place, "\\u needs four hexadecimal digits after it.")
      }
      value = value << 4 | UInt16(digit)
      scanner.advance()
    }
    return value
  }

  private static func spelling(_ byte: UInt8) -> String {
    switch byte {
    case 0x08: return "\\b"
    case 0x09: return "\\t"
    case 0x0C: return "\\f"
    default: return "\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
    }
  }
}
