import SystemLibrary
import TraceFormat

/// Opens the files that are read together, however many they are.
package struct LogFiles {
  /// Takes what compressed files unpack to, where there are too many for one each; nil before the first.
  private var spool: SharedDescriptor?
  private let stayOpen: Bool

  /// Files that are kept open: threads and outputs need descriptors too.
  private static let mostOpen = 100

  /// - Parameters:
  ///   - count: how many files there are.
  ///   - limit: how many descriptors the process may have; asked of the system where nothing is said.
  package init(count: Int, limit: Int? = nil) {
    stayOpen = count <= min(Self.mostOpen, (limit ?? Self.limit) / 4)
  }

  /// Opens one of them; `-` is standard input.
  package mutating func open(_ path: String) throws(LogError) -> LogSource {
    if path == "-" { return try .standardInput() }
    if stayOpen { return try LogSource(path: path) }
    return try LogSource(path: path, unpackingInto: &spool)
  }

  private static var limit: Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let code = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #else
      let code = getrlimit(RLIMIT_NOFILE, &limit)
    #endif
    return code == 0 ? Int(clamping: limit.rlim_cur) : mostOpen
  }
}
