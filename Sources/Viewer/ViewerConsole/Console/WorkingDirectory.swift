import SystemLibrary
import TraceFormat

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
