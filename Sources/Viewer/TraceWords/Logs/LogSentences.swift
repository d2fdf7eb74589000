package import TraceAnalysis
package import TraceFormat
import ViewerConsole

/// The sentences about faults in a log. Each is defined only once.
package enum LogSentences {
  /// Returns the numbers of tasks and threads of a process that was inspected.
  package static func inspected(_ inspection: InspectedProcess, of log: TraceLog) -> String {
    "inspected: \(CountText.make(log.tasks.values.reduce(0) { $0 + $1.count }, "task")), "
      + CountText.make(inspection.threads.count, "thread")
  }

  /// Returns the number of leaked objects and their size.
  package static func leaked(_ log: TraceLog) -> String {
    let (objects, bytes) = log.leaked
    guard objects > 0 else { return "no leaked objects" }
    return "\(CountText.make(objects, "leaked object")) (\(CountText.make(bytes, "byte")))"
  }

  /// Returns the number of subscriptions, or of leaked objects if a log is a search for them.
  package static func size(of log: LogAnalysis) -> String {
    let leaked = log.logs.filter { $0.searched != nil }.reduce(0) { $0 + $1.leaked.objects }
    let subscriptions = CountText.make(log.subscriptionCount, "subscription")
    if log.logs.contains(where: { $0.searched == nil }) { return subscriptions }
    return CountText.make(leaked, "leaked object")
  }

  package static func doubt(_ doubt: Verdict.Doubt) -> String {
    switch doubt {
    case .continues:
      "the log continues in another file, which was not read, so some ends are unknown"
    case .noEnd:
      "the process did not write the end of its log"
    case .lost(let count):
      "the recorder could not write \(CountText.make(count, "record"))"
    case .partlySearched:
      "a part of the process could not be searched"
    case .unknownTasks(let limit): unknownTasks(limit)
    case .missing(let count):
      """
      \(CountText.make(count, "record")) that the recorder wrote \(count == 1 ? "is" : "are") \
      missing
      """
    case .extra(let count):
      """
      it has \(CountText.make(count, "record")) more than its recorder wrote, so it may contain \
      parts of another log
      """
    case .skipped(let count):
      "\(CountText.make(count, "damaged line")) \(count == 1 ? "was" : "were") skipped"
    case .reused(let count):
      """
      \(CountText.make(count, "number")) \(count == 1 ? "is" : "are") used by several \
      subscriptions, so their records cannot be told apart
      """
    case .unpackedInPart:
      "one of its compressed files is incomplete"
    case .replaced(let count):
      """
      it replaced \(replacedLogs(count)) of the same run, which \
      '\(ProgramInfo.name) run -- COMMAND' keeps apart
      """
    }
  }

  private static func unknownTasks(_ limit: Retention.Limit) -> String {
    let reason =
      switch limit {
      case .time:
        """
        the search took too long, or a thread ran during all of it, and REACTIVE_TRACE_EXPLAIN=10 \
        allows 10 seconds
        """
      case .memory: "the process had too much memory, or too little left"
      default: "the memory of the process cannot be searched"
      }
    return "it is not known which tasks can continue: \(reason)"
  }

  private static func replacedLogs(_ count: UInt64) -> String {
    count == 1
      ? "the log of another process"
      : "the logs of \(CountText.number(Int(clamping: count))) other processes"
  }

  /// Returns a doubt in a word or two.
  package static func shortDoubt(_ doubt: Verdict.Doubt) -> String {
    switch doubt {
    case .continues: "continues in another file"
    case .noEnd: "no end"
    case .lost: "records lost"
    case .partlySearched: "partly searched"
    case .unknownTasks: "unknown tasks"
    case .missing: "records missing"
    case .extra: "too many records"
    case .skipped: "damaged lines"
    case .reused: "duplicate numbers"
    case .unpackedInPart: "incomplete compressed file"
    case .replaced: "replaced another log"
    }
  }

  package static func damage(_ kind: Damage.Kind, _ count: Int) -> String {
    let lines = "\(CountText.make(count, "line")) skipped"
    let records = CountText.make(count, "record")
    return switch kind {
    case .malformed: "not a JSON object; \(lines)"
    case .incomplete: "a JSON object that lacks keys of a record; \(lines)"
    case .tooLong: "longer than a record can be; \(lines)"
    case .torn: "the last line is incomplete"
    case .repeated: "this log was already read; the repetition is ignored"
    case .beforeGap: "the next file of this log is missing; the contents of this file are ignored"
    case .missingHeader: "the log does not begin with a trace record"
    case .missingSubscribe:
      "\(CountText.make(count, "subscription")) whose beginning is not in the log"
    case .duplicateSubscribe: "a subscription begins again; \(records) ignored"
    case .afterLogEnd: "\(records) after the end of the log"
    case .packingCut: "the compressed file is cut short; everything before that was read"
    case .packingDamaged:
      "the compressed file is damaged; everything that could be decompressed was read"
    case .packingTrailed:
      "the compressed file is followed by other data, which is ignored"
    }
  }
}

extension LogSentences {
  /// Returns what is wrong with a record.
  package static func fault(_ fault: Conformance.Fault) -> String {
    let number = fault.number
    return switch fault.kind {
    case .traceID: "'trace' is not an ID of 32 hexadecimal digits"
    case .started: "'started' is not a time in the format of RFC 3339"
    case .pid: "'pid' is not the number of a process"
    case .endedTwice: "subscription #\(number) ends again"
    case .afterOwnEnd: "a record of subscription #\(number) is later than its end"
    case .timeDescends: "an earlier record of subscription #\(number) has a later time"
    case .laneChanges: "subscription #\(number) began on another lane"
    case .parentIsItself: "subscription #\(number) is its own parent"
    case .unknownParent: "'parent' is #\(number), which is not in the log"
    case .unknownCause: "'cause' is #\(number), which is not in the log"
    case .unknownTwin: "'twin' is #\(number), which is not in the log"
    case .scopeTwice: "scope \(number) begins again"
    case .scopeWithoutBeginning: "scope \(number) ends, but its beginning is not in the log"
    case .unknownScope: "scope \(number) is not in the log"
    case .unnamedThread: "thread \(number) has no 'thread' record"
    case .recordCount: "'records' is \(number), which is not the number of lines before this one"
    case .unfinishedLine: "a line is unfinished, although the log has an end"
    }
  }
}

extension LogScope {
  /// The title to show for the scope.
  package var title: String { name ?? String(number) }
}
