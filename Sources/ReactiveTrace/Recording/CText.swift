#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Text to and from the C library.
package enum CText {
  /// The text up to the first NUL; bytes that are not UTF-8 become U+FFFD.
  package static func string(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The system's words for an error number: `No such file or directory`.
  package static func reason(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }

  /// The value of an environment variable that is set and not empty.
  package static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// One line on standard error, in one call, so that lines of several threads stay whole.
  package static func complain(_ sentence: String) {
    var line = "ReactiveTrace: \(sentence)\n"
    line.withUTF8 { bytes in
      _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}
