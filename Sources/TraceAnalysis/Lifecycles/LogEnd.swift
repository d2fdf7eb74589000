package import TraceFormat

/// The last line of a clean exit, or of a file whose log goes on in another one.
package struct LogEnd: Equatable, Sendable {
  package let time: Nanoseconds
  /// How many records the recorder wrote before this one into the file; `nil` where it does not say.
  package let records: UInt64?
}

/// A note of the user's.
package struct LogMark: Equatable, Sendable {
  package internal(set) var time: Nanoseconds
  package let name: String
  /// Which of the logs it belongs to.
  package internal(set) var log: Int
}
