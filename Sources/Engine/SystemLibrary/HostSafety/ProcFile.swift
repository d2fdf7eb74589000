/// Reads files and links of `/proc`.
package enum ProcFile {
  package static let maxSize = 1 << 20

  /// Returns the first bytes of a file, or nil if it can't be read.
  package static func bytes(_ path: String, maxCount: Int = maxSize) -> [UInt8]? {
    let file = OwnDescriptor.open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { _ = systemClose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(maxCount, 1 << 14))
    while bytes.count < maxCount {
      let count = systemRead(file, &buffer, min(buffer.count, maxCount - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  package static func text(_ path: String) -> String? {
    bytes(path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the numbers that are names of entries in a folder, such as the processes in `/proc`.
  package static func numbers(in folder: String) -> [Int32] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var numbers: [Int32] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let number = Int32(name) { numbers.append(number) }
    }
    return numbers.sorted()
  }

  /// Returns the target of a symbolic link, or nil if it can't be read.
  package static func target(ofLink link: String) -> String? {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink(link, &path, path.count - 1)
    return count > 0 ? SystemError.text(path) : nil
  }
}
