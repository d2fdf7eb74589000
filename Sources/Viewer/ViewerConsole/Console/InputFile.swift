import SystemLibrary
import TerminalUI
import TraceFormat

/// A small file other than a log that is read whole, such as settings or a baseline.
package enum InputFile {
  /// The maximum size in bytes. A longer file was probably named by mistake.
  package static let maxBytes = 16 << 20

  package enum Result: Equatable {
    case bytes([UInt8])
    case missing
    /// The reason that the file can't be read, as a sentence.
    case failure(String)
  }

  package static func read(_ path: String, maxBytes: Int = maxBytes) -> Result {
    // Opening a pipe without `O_NONBLOCK` would wait for a writer.
    let descriptor = RawPath.with(path) {
      open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    }
    guard descriptor >= 0 else {
      return errno == ENOENT ? .missing : .failure(sentence(errno))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .failure(sentence(errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: return .failure(sentence(EISDIR))
    default:
      return .failure("This is a pipe or a device. Name a regular file.")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = systemRead(descriptor, &buffer, buffer.count)
      if count == 0 { return .bytes(bytes) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { return .failure(sentence(errno)) }
      bytes += buffer[..<count]
      if bytes.count > maxBytes {
        return .failure("The file is longer than \(maxBytes >> 20) MB. Check the path.")
      }
    }
  }

  /// Returns the contents of a file.
  ///
  /// - Parameter what: The word for the file in messages, such as `baseline`.
  package static func read(
    _ path: String, as what: String, _ command: CommandSpec.Name?
  ) throws(UsageError) -> [UInt8] {
    switch read(path) {
    case .bytes(let bytes): return bytes
    case .missing:
      throw UsageError(
        .unreadableFile, command, "\(path): There is no such \(what). Check the path.")
    case .failure(let sentence):
      throw UsageError(.unreadableFile, command, "\(path): \(sentence)")
    }
  }

  private static func sentence(_ error: Int32) -> String {
    "The file cannot be read: \(String(cString: strerror(error)))."
  }
}
