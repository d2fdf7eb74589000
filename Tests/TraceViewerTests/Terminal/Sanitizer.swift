import AllocationCounter

@testable import TerminalUI

/// Whether the tests are built for a sanitizer, which makes of a crash what it likes.
enum Sanitizer {
  /// Allocations are not counted then.
  static let isOn = allocations_of_this_thread() < 0
}
