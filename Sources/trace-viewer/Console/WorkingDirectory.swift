import SystemLibrary
import TraceAnalysis
import TraceFormat

/// The directory that this process works in.
enum WorkingDirectory {
  /// Empty where it is gone, or may not be known.
  static var path: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return RawPath.make(path)
  }
}
