import TraceFormat

/// A formatter for the names of threads.
package enum ThreadLabel {
  package static func of(_ number: UInt64, log: Int, in analysis: LogAnalysis) -> String {
    if analysis.logs.indices.contains(log), let name = analysis.logs[log].threads[number] {
      return name
    }
    return number == UInt64(LogFormat.mainThread) ? "main" : "thread \(number)"
  }

  /// Returns the name of the thread on which a subscription was made.
  package static func of(_ lifecycle: Lifecycle, in analysis: LogAnalysis) -> String {
    lifecycle.thread.map { of($0, log: Int(lifecycle.log), in: analysis) } ?? "thread unknown"
  }
}
