import SystemLibrary

/// Reads and writes pieces of a descriptor. A session that has methods of these names could not call the functions.
package enum TerminalIO {
  package enum Reading: Equatable {
    case bytes([UInt8])
    /// There is nothing to read now.
    case nothing
    /// There never will be: the terminal is gone.
    case ended
  }

  /// One read, of what is there.
  static func take(_ descriptor: Int32, atMost count: Int = 4096) -> Reading {
    var length = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      length = read(descriptor, buffer.baseAddress, count)
      initialized = max(0, length)
    }
    if length > 0 { return .bytes(bytes) }
    let isNothing = length < 0 && (errno == EAGAIN || errno == EINTR)
    return isNothing ? .nothing : .ended
  }

  /// Writes all of the bytes, however often that takes.
  ///
  /// - Parameter isGivenUp: asked where the terminal takes nothing just now.
  static func put(_ bytes: [UInt8], _ descriptor: Int32, isGivenUp: () -> Bool) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
          written += count
          // A signal that interrupts a write shows only in that it wrote less.
          if written < buffer.count, isGivenUp() { return false }
          continue
        }
        guard errno == EAGAIN || errno == EINTR, !isGivenUp() else { return false }
        if errno == EAGAIN { waitForRoom(descriptor) }
      }
      return true
    }
  }

  /// Not for ever, so that somebody asks whether to give it up.
  private static func waitForRoom(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&request, 1, 1000)
  }
}
