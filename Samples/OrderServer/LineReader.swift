import Foundation

/// Reads lines on a thread, because reading blocks.
enum LineReader {
  private static let maxLength = 1024

  /// Returns the lines of a descriptor until its end. A line that isn't UTF-8 or is longer than
  /// 1 KiB is nil.
  static func lines(of descriptor: Int32) -> AsyncStream<String?> {
    let (stream, continuation) = AsyncStream.makeStream(of: String?.self)
    Thread.detachNewThread {
      Thread.current.name = "reader"
      readLines(descriptor) { continuation.yield($0) }
      continuation.finish()
    }
    return stream
  }

  private static func readLines(_ descriptor: Int32, _ receive: (String?) -> Void) {
    var line: [UInt8] = []
    func endLine() {
      receive(line.count > maxLength ? nil : String(validating: line, as: UTF8.self))
      line.removeAll()
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      for byte in buffer.prefix(count) {
        if byte == UInt8(ascii: "\n") {
          endLine()
        } else if line.count <= maxLength {
          line.append(byte)
        }
      }
    }
    if !line.isEmpty { endLine() }
  }
}
