import ViewerConsole

extension Escaping {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Returns a path as a URI path. Slashes and unreserved characters (RFC 3986) stay. The UTF-8
  /// bytes of all other characters are percent-encoded, such as `%C3%A9`. The encoding is lossless
  /// for programs, and the result has no characters that need to be made safe.
  static func uriPath(_ path: String) -> String {
    uri(path) { isUnreserved($0) || $0 == UInt8(ascii: "/") }
  }

  /// Returns text as one value of a query or a fragment, with slashes encoded, too.
  static func uriComponent(_ text: String) -> String {
    uri(text, isUnreserved)
  }

  private static func uri(_ text: String, _ staysAsItIs: (UInt8) -> Bool) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if staysAsItIs(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }
}
