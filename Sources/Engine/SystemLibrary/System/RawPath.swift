/// A string representation of file names that aren't UTF-8.
///
/// A byte that isn't part of a character becomes one of the last private-use characters of Unicode,
/// and is converted back when the file is opened. If a name contains such a character, its bytes
/// are converted too, so that each name has one string.
package enum RawPath {
  private static let first: UInt32 = 0x10FE00

  package static func make(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: isByte)
    {
      return text
    }
    var text = String.UnicodeScalarView()
    var rest = Array(bytes)[...]
    while let byte = rest.first {
      let length = (1...4).first { count in
        let scalars = String(validating: rest.prefix(count), as: UTF8.self)?.unicodeScalars
        return scalars.map { $0.count == 1 && !$0.contains(where: isByte) } ?? false
      }
      if let length {
        text.append(contentsOf: String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars)
        rest = rest.dropFirst(length)
      } else {
        Unicode.Scalar(first + UInt32(byte)).map { text.append($0) }
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }

  /// Returns the string for a name in a C string.
  package static func make(_ text: UnsafePointer<CChar>) -> String {
    make(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// Returns the bytes of the file's name in the system.
  package static func bytes(_ path: String) -> [UInt8] {
    guard hasBytes(path) else { return Array(path.utf8) }
    return path.unicodeScalars.flatMap { scalar in
      isByte(scalar) ? [UInt8(scalar.value - first)] : Array(String(scalar).utf8)
    }
  }

  /// Returns the name for messages and reports, with `\xE9` for such a byte.
  package static func shown(_ path: String) -> String {
    guard hasBytes(path) else { return path }
    return path.unicodeScalars.reduce(into: "") { text, scalar in
      guard isByte(scalar) else { return text.unicodeScalars.append(scalar) }
      let digits = String(scalar.value - first, radix: 16, uppercase: true)
      text += "\\x" + (digits.count < 2 ? "0" : "") + digits
    }
  }

  /// Calls `body` with the file's name in the system.
  package static func with<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result)
    -> Result
  {
    guard hasBytes(path) else { return path.withCString(body) }
    let name = bytes(path).map { CChar(bitPattern: $0) } + [0]
    return name.withUnsafeBufferPointer { buffer in
      // The buffer contains at least a zero.
      buffer.baseAddress.map(body) ?? "".withCString(body)
    }
  }

  private static func hasBytes(_ path: String) -> Bool {
    // All such characters begin with this byte, and hardly any others do.
    path.utf8.contains(0xF4) && path.unicodeScalars.contains(where: isByte)
  }

  private static func isByte(_ scalar: Unicode.Scalar) -> Bool {
    (first..<first + 256).contains(scalar.value)
  }

  /// Returns the folder of a path, with its slash, and the name in it. The folder of a path without
  /// a slash is `.`.
  package static func parts(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    return (String(path[...slash]), String(path[path.utf8.index(after: slash)...]))
  }
}
