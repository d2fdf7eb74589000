import Foundation

/// How often tests of chance repeat what they try.
package enum TestLength {
  /// Whether TRACE_LONG_TESTS is set: tests of chance take minutes, and see rarer moments.
  package static let isLong = ProcessInfo.processInfo.environment["TRACE_LONG_TESTS"] != nil
}
