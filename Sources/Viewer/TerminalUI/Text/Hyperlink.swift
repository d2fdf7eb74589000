import SystemLibrary

/// A link that a terminal opens when the user clicks its text (OSC 8).
///
/// A link is a number, because each cell of a screen has a style with one.
package struct Hyperlink: Hashable, Sendable {
  private let number: UInt16

  private struct Table {
    var addresses: [String] = []
    var numbers: [String: UInt16] = [:]
  }

  private static let table = BlockingMutex(Table())

  /// Creates a link to a line of a file. Returns `nil` for a path that isn't absolute, and when too
  /// many links exist.
  package init?(file path: String, line: Int?, host: String) {
    guard path.hasPrefix("/") else { return nil }
    let fragment = line.map { "#\($0)" } ?? ""
    let address = "file://" + Self.encoded(host) + Self.encoded(path) + fragment
    let number = Self.table.withLock { table -> UInt16? in
      if let known = table.numbers[address] { return known }
      guard let number = UInt16(exactly: table.addresses.count) else { return nil }
      table.addresses.append(address)
      table.numbers[address] = number
      return number
    }
    guard let number else { return nil }
    self.number = number
  }

  /// The address, which contains only printable ASCII characters.
  package var address: String { Self.table.withLock { $0.addresses[Int(number)] } }

  static let end = "\u{1B}]8;;\u{1B}\\"
  /// The sequence before the text of the link.
  var sequence: String { "\u{1B}]8;;\(address)\u{1B}\\" }

  /// Reports whether a terminal shows links, or at least ignores them.
  package static func areSupported(_ environment: Environment) -> Bool {
    guard let term = environment["TERM"] else { return false }
    return !["dumb", "linux", "ansi", "vt100", "vt220"].contains(term)
  }

  /// The name of this computer, or an empty string if it is unknown.
  package static func localHost() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    var result = String.UnicodeScalarView()
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.append(Unicode.Scalar(byte))
      default:
        result.append("%")
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
      }
    }
    return String(result)
  }
}
