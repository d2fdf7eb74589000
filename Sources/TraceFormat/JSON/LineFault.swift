/// The reason why a line is not a record.
package enum LineFault: Error, Equatable, Sendable {
  /// The line stops in the middle of its object.
  case cut
  /// The line is not a JSON object.
  case malformed
  /// The line is a JSON object that lacks a key that its kind of record requires.
  case incomplete
}
