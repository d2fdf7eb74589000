import SystemLibrary
import TraceFormat

/// The log that is in a file before another log takes its place.
///
/// Two processes that get the same path from the same caller lose the log of the first one. The
/// second log says so, because otherwise nobody would notice.
enum ReplacedLog {
  /// The maximum size of a first line. It has the names of the process and the host, which are
  /// short.
  private static let longestHeader = 4096

  /// Returns the number of logs of the run that are gone when another log replaces this one: this
  /// one, and those that it has replaced.
  static func count(in file: Int32, of run: String) -> Int {
    let bytes = [UInt8](unsafeUninitializedCapacity: longestHeader) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, longestHeader, 0))
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
