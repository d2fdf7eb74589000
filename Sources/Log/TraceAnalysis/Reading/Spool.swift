import SystemLibrary
import TraceFormat

/// A file without a name for bytes that come out of a pipe or are unpacked. Memory would grow with
/// the log.
final class Spool {
  let file: SharedDescriptor
  /// The offset in the file at which the bytes of this log begin.
  let start: Int
  private let name: String
  private var total = 0
  private var nextCheck = Spool.checkInterval

  /// The number of bytes to write between two checks of the free space.
  private static let checkInterval = 64 << 20

  /// Creates a spool.
  ///
  /// - Parameters:
  ///   - name: The name of the log whose bytes the spool takes, for messages.
  ///   - shared: A file that has the bytes of other logs; nil creates a new file.
  init(_ name: String, in shared: SharedDescriptor? = nil) throws(LogError) {
    self.name = name
    if let shared { file = shared } else { file = try Spool.make(name) }
    start = max(0, Int(lseek(file.number, 0, SEEK_END)))
  }

  private static func make(_ name: String) throws(LogError) -> SharedDescriptor {
    let variable = getenv("TMPDIR").map { RawPath.make($0) } ?? ""
    let folder = variable.isEmpty ? "/tmp" : variable
    var template =
      RawPath.bytes(folder + "/trace-viewer-XXXXXX").map { CChar(bitPattern: $0) } + [0]
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw .cannotSpool(name, folder: RawPath.shown(folder), reason: reason)
    }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return SharedDescriptor(descriptor, isSpool: true)
  }

  /// Reads a descriptor to its end, and returns the number of bytes.
  ///
  /// - Parameter patience: The number of seconds to wait for the next bytes, if reading doesn't
  ///   block; nil to wait for any time.
  func fill(from source: Int32, patience: Int? = nil) throws(LogError) -> Int {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { piece.deallocate() }
    while true {
      let count = try retry(source, POLLIN, patience) {
        systemRead(source, piece.baseAddress, piece.count)
      }
      if count == 0 { return total }
      try write(UnsafeRawBufferPointer(rebasing: piece[..<count]))
    }
  }

  /// Returns the number of newlines.
  func lineEnds() -> Int {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var (position, found) = (start, 0)
    while case let count = pread(file.number, &piece, piece.count, off_t(position)), count > 0 {
      found += piece[..<count].count { $0 == 0x0A }
      position += count
    }
    return found
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(LogError) {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let target = file.number
      written += try retry(target, POLLOUT) {
        systemWrite(target, rest.baseAddress, rest.count)
      }
    }
    total += written
    if total >= nextCheck { try checkRoom() }
  }

  /// Throws an error before endless input uses up the space that others need.
  private func checkRoom() throws(LogError) {
    nextCheck = total + Self.checkInterval
    var status = statvfs()
    guard fstatvfs(file.number, &status) == 0 else { return }
    let unit = UInt64(status.f_frsize)
    guard
      Self.hasRoom(
        free: UInt64(status.f_bavail).multipliedReportingOverflow(by: unit).partialValue,
        of: UInt64(status.f_blocks).multipliedReportingOverflow(by: unit).partialValue)
    else { throw .noRoom(name, bytes: total) }
  }

  /// Reports whether a file system has a twentieth of its space left, or 1 GiB if it is large.
  static func hasRoom(free: UInt64, of size: UInt64) -> Bool {
    free >= min(size / 20, 1 << 30)
  }

  /// Repeats a call until it is not interrupted. For a nonblocking pipe, it waits until the pipe is
  /// ready.
  private func retry(
    _ target: Int32, _ readiness: Int32, _ patience: Int? = nil, _ call: () -> Int
  ) throws(LogError) -> Int {
    while true {
      let count = call()
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var request = pollfd(fd: target, events: Int16(readiness), revents: 0)
        if poll(&request, 1, patience.map { Int32($0 * 1000) } ?? -1) == 0 {
          throw .cannotRead(name, reason: "nothing came for \(patience ?? 0) seconds")
        }
      default: throw .cannotRead(name, reason: String(cString: strerror(errno)))
      }
    }
  }
}
