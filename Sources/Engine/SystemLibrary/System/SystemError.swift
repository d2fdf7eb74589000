/// Error messages from the C library.
package enum SystemError {
  /// Returns the system's description of an error number, such as `No such file or directory`.
  package static func reason(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }

  /// Returns the text up to the first NUL. Bytes that aren't UTF-8 become U+FFFD.
  package static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
