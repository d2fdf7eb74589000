import AllocationCounter

@testable import TerminalUI

/// A check for sanitizers, which handle crashes differently.
enum Sanitizer {
  /// Allocations aren't counted with a sanitizer.
  static let isOn = allocations_of_this_thread() < 0
}
