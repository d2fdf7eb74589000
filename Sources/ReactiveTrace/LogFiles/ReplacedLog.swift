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
    let replaced = bytes[..<end].withUnsafeBufferPointer { line -> UInt64? in
      guard let fields = RecordFields(line),
        fields.text(.event)?.string == LogFormat.Event.trace.rawValue,
        fields.text(.run)?.string == run
      else { return nil }
      return fields.integer(.replaced) ?? 0
    }
    guard let replaced else { return 0 }
    return Int(clamping: min(replaced, UInt64(Int32.max))) + 1
  }
}
