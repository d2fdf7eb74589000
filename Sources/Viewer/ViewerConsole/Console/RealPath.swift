import SystemLibrary

/// A resolver for symbolic links in paths.
package enum RealPath {
  /// Returns the path as the system names it, or `nil` if nothing has that path.
  package static func of(_ path: String) -> String? {
    guard let real = RawPath.with(path, { realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return RawPath.make(real)
  }
}
