import SystemLibrary
import TraceFormat
import TraceShims

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

  /// The same path, whatever becomes of the working directory.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// The value of an environment variable that is set and not empty. Nil in a program that runs with the rights of another user
  /// than the one who has started it: who chooses a path must not write there with rights that he does not have.
  package static func environment(_ name: String) -> String? {
    guard !trace_is_privileged(), let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// The names of the environment variables that begin so.
  package static func environmentNames(withPrefix prefix: String) -> [String] {
    guard !trace_is_privileged() else { return [] }
    var names: [String] = []
    var place = trace_environment()
    while let entry = place?.pointee {
      let text = String(cString: entry)
      if text.hasPrefix(prefix), let equals = text.firstIndex(of: "=") {
        names.append(String(text[..<equals]))
      }
      place = place?.successor()
    }
    return names
  }

  /// All of the bytes, as far as anybody takes them; the error, or 0.
  @discardableResult
  package static func write(_ bytes: [UInt8], to file: Int32) -> Int32 {
    bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = trace_write(file, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : ENOSPC }
        done += count
      }
      return 0
    }
  }

  /// One line on standard error, in one call, so that lines of several threads stay whole. Nothing where standard error was
  /// closed and another file has its number now.
  package static func complain(_ sentence: String) {
    guard trace_has_standard_error() else { return }
    var line = "ReactiveTrace: \(sentence)\n"
    line.withUTF8 { bytes in
      _ = trace_write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}
