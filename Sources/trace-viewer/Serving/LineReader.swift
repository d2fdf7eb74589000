import SystemLibrary

/// The lines of a pipe, each of limited length.
struct LineReader {
  enum Input: Equatable {
    /// A line without its end.
    case line([UInt8])
    /// A line that is too long. Its bytes were dropped.
    case tooLong
    /// Nothing has arrived yet.
    case nothing
    /// The end of the input, or an error.
    case end
  }

  private let descriptor: Int32
  private let maxBytes: Int
  private var bytes: [UInt8] = []
  /// The index of the first byte that hasn't been searched for the end of a line.
  private var searched = 0
  private var isDropping = false
  private var hasEnded = false

  private static let pieceSize = 1 << 16

  /// - Parameters:
  ///   - descriptor: The descriptor to read from.
  ///   - maxBytes: The maximum length of a line.
  init(_ descriptor: Int32, maxBytes: Int) {
    self.descriptor = descriptor
    self.maxBytes = maxBytes
  }

  /// Returns the next line.
  ///
  /// - Parameter waits: Whether to wait for it. Otherwise, the result can be `nothing`.
  mutating func next(waits: Bool) -> Input {
    while true {
      if let input = takeLine() { return input }
      guard !hasEnded else { return .end }
      guard waits || isReady else { return .nothing }
      read()
    }
  }

  private mutating func takeLine() -> Input? {
    if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      defer { drop(end + 1) }
      return finish(Array(bytes[..<end]))
    }
    if hasEnded, !bytes.isEmpty || isDropping {
      defer { drop(bytes.count) }
      return finish(bytes)
    }
    searched = bytes.count
    if bytes.count > maxBytes {
      isDropping = true
      drop(bytes.count)
    }
    return nil
  }

  private mutating func finish(_ line: [UInt8]) -> Input {
    defer { isDropping = false }
    return isDropping || line.count > maxBytes ? .tooLong : .line(line)
  }

  private mutating func drop(_ count: Int) {
    bytes.removeFirst(count)
    searched = 0
  }

  /// A Boolean value that indicates whether reading would not wait.
  private var isReady: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  private mutating func read() {
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    let count = systemRead(descriptor, &piece, piece.count)
    if count > 0 {
      bytes += piece[..<count]
    } else if count < 0, errno == EAGAIN {
      // Another process may have made the pipe nonblocking.
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&request, 1, -1)
    } else if count == 0 || errno != EINTR {
      hasEnded = true
    }
  }
}
