import SystemLibrary
import TraceFormat

/// The log that is in a file before another log replaces it.
///
/// If two processes get the same path from the same caller, the log of the first one is lost. The
/// second log records that, because otherwise it wouldn't be noticed.
enum ReplacedLog {
  /// The maximum size of a first line. The names of the process and the host in it are short.
  private static let maxHeaderSize = 4096

  /// Returns the number of logs of the run that are lost when another log replaces this one: this
  /// log, and the logs that it has replaced.
  static func count(in file: Int32, of run: String) -> Int {
    let bytes = [UInt8](unsafeUninitializedCapacity: maxHeaderSize) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, maxHeaderSize, 0))
    }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return 0 }
    let header = bytes[..<end].withUnsafeBufferPointer { line -> TraceHeader? in
      var parser = RecordParser()
      guard case .trace(let header)? = try? parser.parse(line).body else { return nil }
      return header
    }
    guard let header, header.run == run else { return 0 }
    return Int(clamping: min(header.replaced, UInt64(Int32.max))) + 1
  }
}
