import SystemLibrary
import TraceAnalysis

/// Paths without symbolic links.
enum RealPath {
  /// Returns the path as the system names it, or nil where nothing has it.
  static func of(_ path: String) -> String? {
    guard let real = RawPath.with(path, { realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return RawPath.make(real)
  }
}
