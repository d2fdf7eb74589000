import TraceAnalysis
import TraceFormat

/// A clock that converts times on the axis of the logs to nanoseconds since 1970. Times start at
/// 1970 if no log says when it began.
struct UnixClock {
  private let start: UInt64

  init(_ log: LogAnalysis) {
    let starts = log.logs.compactMap { $0.header?.started.flatMap { RFC3339.nanoseconds(of: $0) } }
    start = UInt64(max(0, starts.min() ?? 0))
  }

  func text(_ time: Nanoseconds) -> String {
    String(time.after(start).count)
  }
}
