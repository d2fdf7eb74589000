/// A visitor that can visit one part of a file, and merge with the visitors of the following parts.
///
/// The result must not depend on where the file was divided.
package protocol MergingVisitor: RecordVisitor, Sendable {
  /// Adds the result of the following part.
  ///
  /// - Parameter lines: The number of lines of the file before that part; 0 if the part begins
  ///   another file.
  mutating func append(_ next: consuming Self, lines: Int)

  /// Finishes a part, on the thread that read it. Slow work belongs here: all threads share it,
  /// while only one thread merges parts.
  mutating func finish()
}

extension MergingVisitor {
  package mutating func finish() {}
}
