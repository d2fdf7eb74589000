import SystemLibrary
import TraceFormat

/// A resolver for symbolic links in paths.
package enum RealPath {
  /// Returns the path as the system names it, or `nil` if nothing has that path.
  package static func of(_ path: String) -> String? {
    guard let real = RawPath.with(path, { realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return RawPath.make(real)
  }
}

/// The working directory of this process.
enum WorkingDirectory {
  /// The path of the directory, or an empty string if the directory was deleted or can't be
  /// determined.
  static var path: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return RawPath.make(path)
  }
}
