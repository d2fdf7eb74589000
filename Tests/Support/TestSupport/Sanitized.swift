import AllocationCounter
package import Testing

/// Whether the tests are built for a sanitizer, which makes them and their child processes many
/// times slower.
package let isSanitized = allocations_of_this_thread() < 0

extension Trait where Self == ConditionTrait {
  /// Skips tests of source locations in sanitized builds. Their debug information is so large that
  /// a lookup exceeds its limit of one second.
  package static var lookUpInTime: Self {
    .enabled(if: !isSanitized, "a sanitizer is too slow to look up names")
  }
}
