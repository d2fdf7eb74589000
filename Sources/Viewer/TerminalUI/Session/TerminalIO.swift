import SystemLibrary

/// Functions that read and write pieces of a descriptor. They are not in the session, because
/// methods with these names would hide the functions of the system.
package enum TerminalIO {
  package enum Reading: Equatable {
    case bytes([UInt8])
    /// There is nothing to read now.
    case nothing
    /// There will never be anything to read: the terminal is gone.
    case ended
  }

  /// Reads the available bytes once.
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

  /// Writes all of the bytes, in as many writes as necessary.
  ///
  /// - Parameter isGivenUp: A closure that returns whether to give up, called if the terminal does
  ///   not take all bytes at once.
  static func put(_ bytes: [UInt8], _ descriptor: Int32, isGivenUp: () -> Bool) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
          written += count
          // If a signal interrupts a write, the only sign is that fewer bytes are written.
          if written < buffer.count, isGivenUp() { return false }
          continue
        }
        guard errno == EAGAIN || errno == EINTR, !isGivenUp() else { return false }
        if errno == EAGAIN { waitForRoom(descriptor) }
      }
      return true
    }
  }

  /// The wait is limited, so that the caller can check whether to give up.
  private static func waitForRoom(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&request, 1, 1000)
  }
}
