import TraceFormat

/// The name and the version of the program, as messages and documents show them.
package enum ProgramInfo {
  package static let name = "trace-viewer"
  package static let version = PackageVersion.current
}
