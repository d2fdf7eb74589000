import TraceFormat

/// The name and the version of the program, as messages and documents show them.
enum ProgramInfo {
  static let name = "trace-viewer"
  static let version = PackageVersion.current
}
