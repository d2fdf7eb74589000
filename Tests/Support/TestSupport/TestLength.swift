import Foundation

/// A setting for how often randomized tests repeat their attempts.
package enum TestLength {
  /// A Boolean value that indicates whether TRACE_LONG_TESTS is set. Randomized tests then take
  /// minutes, and reach rarer cases.
  package static let isLong = ProcessInfo.processInfo.environment["TRACE_LONG_TESTS"] != nil
}
