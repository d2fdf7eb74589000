import SystemLibrary
import TraceAnalysis

/// A resolver for symbolic links in paths.
enum RealPath {
  /// Returns the path as the system names it, or `nil` if nothing has that path.
  static func of(_ path: String) -> String? {
    guard let real = RawPath.with(path, { realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return RawPath.make(real)
  }
}
