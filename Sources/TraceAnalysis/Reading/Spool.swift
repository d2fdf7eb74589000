import SystemLibrary
import TraceFormat

/// A file without a name that takes what comes out of a pipe: memory would grow with the log.
struct Spool {
  /// Whoever makes the spool closes it.
  let descriptor: Int32
  private let name: String

  /// - Parameter name: whose bytes it takes, for messages.
  init(_ name: String) throws(LogError) {
    self.name = name
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder.isEmpty ? "/tmp" : folder)/trace-viewer-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw .cannotSpool(name, folder: folder, reason: String(cString: strerror(errno)))
    }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Reads a descriptor to its end, closes the spool where that fails, and returns how many bytes there are.
  func fill(from source: Int32) throws(LogError) -> Int {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { piece.deallocate() }
    var total = 0
    do throws(LogError) {
      while true {
        let count = try retry(source, POLLIN) {
          systemRead(source, piece.baseAddress, piece.count)
        }
        if count == 0 { return total }
        try write(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        total += count
      }
    } catch {
      close(descriptor)
      throw error
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(LogError) {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      written += try retry(descriptor, POLLOUT) {
        systemWrite(descriptor, rest.baseAddress, rest.count)
      }
    }
  }

  /// Until it is not interrupted, and, where a pipe is set not to wait, until there is something in it.
  private func retry(
    _ target: Int32, _ readiness: Int32, _ call: () -> Int
  ) throws(LogError) -> Int {
    while true {
      let count = call()
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var request = pollfd(fd: target, events: Int16(readiness), revents: 0)
        _ = poll(&request, 1, -1)
      default: throw .cannotRead(name, reason: String(cString: strerror(errno)))
      }
    }
  }

  private func systemRead(_ source: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.read(source, bytes, count)
    #elseif canImport(Musl)
      Musl.read(source, bytes, count)
    #elseif canImport(Android)
      Android.read(source, bytes, count)
    #else
      Darwin.read(source, bytes, count)
    #endif
  }

  private func systemWrite(_ target: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.write(target, bytes, count)
    #elseif canImport(Musl)
      Musl.write(target, bytes, count)
    #elseif canImport(Android)
      Android.write(target, bytes, count)
    #else
      Darwin.write(target, bytes, count)
    #endif
  }
}
