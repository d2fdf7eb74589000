import SystemLibrary
import TraceFormat

/// A type that opens files that are read together, regardless of their number.
package struct LogFiles {
  /// The file that takes the unpacked content of all compressed files, if there are too many files
  /// for one each; nil before the first compressed file.
  private var spool: SharedDescriptor?
  private let stayOpen: Bool

  /// The maximum number of files that stay open. Threads and outputs need descriptors too.
  private static let maxOpen = 100

  /// Creates an opener.
  ///
  /// - Parameters:
  ///   - count: The number of files.
  ///   - limit: The maximum number of descriptors that the process may have; nil for the system's
  ///     limit.
  package init(count: Int, limit: Int? = nil) {
    let limit = limit ?? ResourceLimit.descriptors.current ?? Self.maxOpen
    stayOpen = count <= min(Self.maxOpen, limit / 4)
  }

  /// Opens one of the files; `-` is standard input.
  ///
  /// - Parameter name: The name to use in messages instead of the path.
  package mutating func open(
    _ path: String, name: String? = nil
  ) throws(LogError) -> LogSource {
    if path == "-" { return try .standardInput() }
    if stayOpen { return try LogSource(path: path, name: name) }
    return try LogSource(path: path, name: name, unpackingInto: &spool)
  }
}
