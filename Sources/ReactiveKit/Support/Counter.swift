public import Synchronization

/// A counter that returns the numbers 1, 2, 3, ... to any number of threads, each number once.
@_fixed_layout @usableFromInline
package final class Counter: Sendable {
  @usableFromInline let last = Atomic<Int>(0)

  @inlinable
  package init() {}

  /// The number that was returned last, or 0 before the first.
  package var latest: Int { last.load(ordering: .relaxed) }

  /// Returns the next number.
  @inlinable
  package func next() -> Int {
    last.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
