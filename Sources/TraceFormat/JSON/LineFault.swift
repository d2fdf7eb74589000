/// Why a line is no record.
package enum LineFault: Error, Equatable, Sendable {
  /// The line stops in the middle of its object.
  case cut
  /// The line is no JSON object.
  case malformed
  /// The line is a JSON object without what its kind of record must have.
  case incomplete
}
