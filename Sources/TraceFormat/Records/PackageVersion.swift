/// The version of recorder and viewer.
package enum PackageVersion {
  /// Three numbers, as in `0.1.0`.
  package static let current = "0.1.0"
}
