import SystemLibrary

/// A destination for text. The text is gathered first, then written in as few pieces as the system
/// takes. Each write is checked.
package final class Output {
  package private(set) var bytes: [UInt8] = []
  package let descriptor: Int32?

  /// The number of bytes held in memory before some of them are written.
  private static let maxHeld = 1 << 18

  /// The error number of the write that failed. After a failure, nothing more is written.
  package private(set) var failure: Int32?

  /// A Boolean value that indicates whether a terminal receives the output.
  package let isTerminal: Bool

  /// Creates an output.
  ///
  /// - Parameter descriptor: The descriptor to write to, or `nil` to keep everything, for tests.
  package init(descriptor: Int32?, isTerminal: Bool? = nil) {
    self.descriptor = descriptor
    self.isTerminal = isTerminal ?? descriptor.map { isatty($0) == 1 } ?? false
  }

  /// The text that was written to this object and is still held.
  package var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  package func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    if descriptor != nil, bytes.count > Self.maxHeld { flush() }
  }

  package func write(_ piece: [UInt8]) { write(piece[...]) }

  package func write(_ piece: ArraySlice<UInt8>) {
    bytes.append(contentsOf: piece)
    if descriptor != nil, bytes.count > Self.maxHeld { flush() }
  }

  /// Writes text directly, bypassing the gathered text, from any thread, and ignores errors. Use it
  /// for text that disappears a moment later.
  package static func writeNow(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      _ = systemWrite(descriptor, bytes.baseAddress, bytes.count)
    }
  }

  package func flush() {
    guard let descriptor else { return }
    defer { bytes.removeAll(keepingCapacity: true) }
    guard failure == nil else { return }
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      var written = 0
      while written < buffer.count {
        let count = systemWrite(descriptor, base + written, buffer.count - written)
        if count >= 0 {
          written += count
        } else if errno == EAGAIN {
          waitForRoom(descriptor)
        } else if errno != EINTR {
          failure = errno
          return
        }
      }
    }
  }

  /// Waits until a terminal or pipe takes more. Another program may have made it nonblocking.
  private func waitForRoom(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&request, 1, -1)
  }
}
