/// A visitor that can be given a stretch of a file, and put together with those that were given the stretches behind it.
///
/// What comes of it must not depend on where the file was divided.
package protocol MergingVisitor: RecordVisitor, Sendable {
  /// Adds what was found in the stretch behind.
  ///
  /// - Parameter lines: how many lines of the file stand before that stretch; 0 where it begins another file.
  mutating func append(_ next: consuming Self, lines: Int)

  /// Called at the end of a stretch by the thread that read it: what takes time is done by all threads here, and not by one
  /// that puts stretches together.
  mutating func finish()
}

extension MergingVisitor {
  package mutating func finish() {}
}
