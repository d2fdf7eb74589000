package import TraceFormat

/// The last line of a clean exit, or of a file whose log continues in another one.
package struct LogEnd: Equatable, Sendable {
  package let time: Nanoseconds
  /// The number of records that the recorder wrote into the file before this one; `nil` if it does
  /// not say.
  package let records: UInt64?
}

/// A mark that the user set.
package struct LogMark: Equatable, Sendable {
  package internal(set) var time: Nanoseconds
  package let name: String
  /// The index of the log in `LogAnalysis.logs`.
  package internal(set) var log: Int
}
