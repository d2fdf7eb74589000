import TerminalUI
import TraceAnalysis
import TraceFormat

/// What to call a thread of a log.
enum ThreadLabel {
  static func of(_ number: UInt64, log: Int, in analysis: LogAnalysis) -> String {
    if analysis.logs.indices.contains(log), let name = analysis.logs[log].threads[number] {
      return name
    }
    return number == UInt64(LogFormat.mainThread) ? "main" : "thread \(number)"
  }

  /// The thread that a subscription was made on.
  static func of(_ lifecycle: Lifecycle, in analysis: LogAnalysis) -> String {
    lifecycle.thread.map { of($0, log: Int(lifecycle.log), in: analysis) } ?? "thread unknown"
  }
}
