package import TraceAnalysis
import TraceFormat
import TraceWords

/// The selected part of logs for an export: subscriptions by lane and scope, and a time range.
///
/// A subscription that is alive in the time range is exported with its whole lifetime and with its
/// events in the range.
package struct ExportSelection {
  let log: LogAnalysis
  let times: TimeRange
  /// The indices in `log.scopes` of the exported scopes.
  let scopes: [Int]
  let findings: ExportFindings
  private let excerpt: LogExcerpt

  /// The number of exported subscriptions.
  package var count: Int { excerpt.members.count }

  /// Creates the selection from an excerpt.
  ///
  /// - Parameters:
  ///   - verdict: The findings in the log, or `nil` to export none.
  ///   - scopes: The scopes of the log to export, or `nil` for all.
  package init(
    _ excerpt: LogExcerpt, _ times: TimeRange, _ verdict: Verdict?,
    scopes wanted: Set<NumberInLog>? = nil
  ) {
    let log = excerpt.log
    self.log = log
    self.times = times
    self.excerpt = excerpt
    findings = ExportFindings(verdict, excerpt)
    scopes = log.scopes.indices.filter { index in
      let scope = log.scopes[index]
      return times.overlaps(scope.begin, scope.end ?? log.logs[scope.log].lastTime)
        && (wanted?.contains(NumberInLog(scope)) ?? true)
    }
  }

  /// Reports whether a subscription is exported. `index` is an index in `log.lifecycles`.
  @inline(__always)
  func contains(_ index: Int) -> Bool {
    excerpt.contains(index)
  }

  /// Returns the time at which a finding about a subscription is certain: at the end of the
  /// subscription or, if it is still active, of its log.
  func timeOfFinding(_ index: Int) -> Nanoseconds {
    let lifecycle = log.lifecycles[index]
    return max(lifecycle.end ?? log.logs[Int(lifecycle.log)].lastTime, lifecycle.start)
  }

  /// Returns the waits of a task that are in the exported time range. A wait that lasts until the
  /// end of the task has that end.
  func waits(of index: Int) -> [TaskWait] {
    let end = log.lifecycles[index].end
    return log.waits(of: index).compactMap { wait in
      guard times.overlaps(wait.start, wait.end ?? end) else { return nil }
      return TaskWait(start: wait.start, end: wait.end ?? end, wait: wait.wait)
    }
  }

  /// Returns the name of the scope in which a subscription was made, or its number if the scope has
  /// no name.
  func scopeName(of lifecycle: Lifecycle) -> String? {
    lifecycle.scope.map { log.scope(of: lifecycle)?.title ?? String($0) }
  }

  /// The exported marks.
  var marks: [LogMark] {
    log.marks.filter { times.contains($0.time) }
  }

  /// Returns the index of the subscription whose delivery made another one, if both are exported.
  func cause(of index: Int) -> Int? {
    let lifecycle = log.lifecycles[index]
    guard let id = lifecycle.cause, let cause = log.index(of: id, log: Int(lifecycle.log)),
      cause != index, contains(cause), contains(index)
    else { return nil }
    return cause
  }
}
