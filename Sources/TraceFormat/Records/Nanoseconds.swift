/// A time since the log's start, or a length of time.
///
/// Times come from a file that may say anything, so nothing here traps.
package struct Nanoseconds: Hashable, Comparable, Sendable {
  package let count: UInt64

  package init(_ count: UInt64) {
    self.count = count
  }

  package static let zero = Nanoseconds(0)

  /// How long after `start` this is; zero if it is not after it.
  package func since(_ start: Nanoseconds) -> Nanoseconds {
    Nanoseconds(count > start.count ? count - start.count : 0)
  }

  /// So much later; the end of time if it would be after that.
  package func after(_ delay: UInt64) -> Nanoseconds {
    let (sum, overflows) = count.addingReportingOverflow(delay)
    return Nanoseconds(overflows ? .max : sum)
  }

  package static func < (left: Nanoseconds, right: Nanoseconds) -> Bool {
    left.count < right.count
  }
}
