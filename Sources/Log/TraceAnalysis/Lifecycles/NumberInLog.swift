import TraceFormat

/// The number of a scope or a thread, which each log counts separately.
package struct NumberInLog: Hashable, Sendable {
  /// The index of the log in `LogAnalysis.logs`.
  package let log: Int
  package let number: UInt64

  package init(log: Int, number: UInt64) {
    self.log = log
    self.number = number
  }

  package init(_ scope: LogScope) {
    self.init(log: scope.log, number: scope.number)
  }
}
