/// A time since the start of the log, or a duration.
///
/// Times come from a file that may contain anything, so nothing here traps.
///
/// Everything is inlinable, because readers compare the time of each line. With calls across the
/// module boundary, reading took 40 % longer.
@frozen @usableFromInline
package struct Nanoseconds: Hashable, Comparable, BitwiseCopyable, Sendable {
  @usableFromInline package let count: UInt64

  @inlinable
  package init(_ count: UInt64) {
    self.count = count
  }

  @inlinable package static var zero: Nanoseconds { Nanoseconds(0) }

  /// Returns the time from `start` to this time, or zero if this time is not after `start`.
  @inlinable
  package func since(_ start: Nanoseconds) -> Nanoseconds {
    Nanoseconds(count > start.count ? count - start.count : 0)
  }

  /// Returns the time that is `delay` later, or the latest possible time on overflow.
  @inlinable
  package func after(_ delay: UInt64) -> Nanoseconds {
    let (sum, overflows) = count.addingReportingOverflow(delay)
    return Nanoseconds(overflows ? .max : sum)
  }

  @inlinable
  package static func == (left: Nanoseconds, right: Nanoseconds) -> Bool {
    left.count == right.count
  }

  @inlinable
  package static func < (left: Nanoseconds, right: Nanoseconds) -> Bool {
    left.count < right.count
  }
}
