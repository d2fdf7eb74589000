import AllocationCounter
import Testing

/// Whether the tests are built for a sanitizer, which makes them and the programs that they start many times as slow.
let isSanitized = allocations_of_this_thread() < 0

extension Trait where Self == ConditionTrait {
  /// For tests of names in the source, which a program that is built for a sanitizer has not the time to look up: they are as
  /// large as its debug information, and a second is all that it may take.
  static var lookUpInTime: Self {
    .enabled(if: !isSanitized, "a sanitizer leaves no time to look names up")
  }
}
