/// The version of the recorder and the viewer.
package enum PackageVersion {
  /// The current version as three numbers, as in `0.1.0`.
  package static let current = "0.1.0"
}
