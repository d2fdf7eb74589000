import TraceFormat

extension LogSnapshot {
  /// Returns the snapshot with all logs beginning at time 0, so that runs at different times can be
  /// compared.
  package var aligned: LogSnapshot { LogSnapshot(aligning: self) }

  /// A Boolean value that indicates whether the logs are runs at different times, which would be
  /// dots on one time axis.
  package var hasSeparateRuns: Bool {
    let logs = analysis.logs
    let longest = logs.lazy.map { $0.lastTime.since(Nanoseconds($0.offset)).count }.max() ?? 0
    return logs.count > 1 && analysis.duration.count / 2 > longest
  }
}

extension LogAnalysis {
  /// Returns the logs with the beginning of each of them at time 0.
  var aligned: LogAnalysis {
    var aligned = self
    aligned.duration = .zero
    for (number, log) in logs.enumerated() {
      let start = Nanoseconds(log.offset)
      aligned.logs[number].offset = 0
      aligned.logs[number].lastTime = log.lastTime.since(start)
      aligned.duration = max(aligned.duration, aligned.logs[number].lastTime)
      let threads = log.inspection?.threads ?? []
      for thread in threads.indices {
        aligned.logs[number].inspection?.threads[thread].since = threads[thread].since.since(start)
      }
      guard log.offset > 0 else { continue }
      for index in log.members { aligned.lifecycles[index].count(from: log.offset) }
    }
    aligned.marks = marks.map { mark in
      LogMark(
        time: mark.time.since(Nanoseconds(logs[mark.log].offset)), name: mark.name, log: mark.log)
    }
    aligned.scopes = scopes.map { scope in
      var scope = scope
      let start = Nanoseconds(logs[scope.log].offset)
      scope.begin = scope.begin?.since(start)
      scope.end = scope.end?.since(start)
      return scope
    }
    return aligned
  }
}
