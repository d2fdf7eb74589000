import CRuntime.OwnProcess

/// Warnings from the recorder to the person who runs the program.
package enum Diagnostics {
  /// Writes a line to standard error in one call, so that the lines of threads don't mix.
  ///
  /// Doesn't write if standard error was closed and its descriptor now belongs to another file.
  package static func warn(_ message: String) {
    guard trace_has_standard_error() else { return }
    var line = "ReactiveTrace: \(message)\n"
    line.withUTF8 { bytes in
      _ = trace_write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }

  /// Writes one line to standard error, like `warn`, without allocating memory.
  ///
  /// - Parameter line: The whole line, with the name of the recorder and a newline.
  package static func warnInPlace(_ line: StaticString) {
    guard trace_has_standard_error() else { return }
    _ = trace_write(STDERR_FILENO, line.utf8Start, line.utf8CodeUnitCount)
  }
}

/// Functions that write bytes to a descriptor.
package enum ByteOutput {
  /// Writes all of the bytes unless the file stops accepting them. Returns the error number, or 0.
  @discardableResult
  package static func write(_ bytes: [UInt8], to file: Int32) -> Int32 {
    bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = trace_write(file, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : ENOSPC }
        done += count
      }
      return 0
    }
  }
}
