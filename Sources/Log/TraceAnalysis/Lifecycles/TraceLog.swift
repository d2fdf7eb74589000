package import TraceFormat

/// One log: the records that one process wrote into one or more files.
package struct TraceLog: Sendable {
  /// The names of the log's files, as the caller that opened them named them.
  package internal(set) var names: [String]
  package internal(set) var header: TraceHeader?
  package internal(set) var end: LogEnd?
  /// A Boolean value that indicates whether the log continues in a file that was not read.
  package internal(set) var continues = false
  /// The number of records that the recorder could not write, according to the log.
  package internal(set) var lost: UInt64 = 0
  /// The number of records that the recorder counted but that are missing.
  package internal(set) var missing: UInt64 = 0
  /// The number of records beyond those that the recorder counted.
  package internal(set) var extra: UInt64 = 0
  /// A Boolean value that indicates whether the first of the log's files was read.
  package internal(set) var hasBeginning = true
  /// The number of skipped lines in files whose recorder did not count its records. Some of the
  /// lines may have been records.
  package internal(set) var uncountedSkips = 0
  /// The number of IDs that more than one subscription uses.
  package internal(set) var reusedNumbers = 0
  /// A Boolean value that indicates whether a compressed file of the log is damaged or incomplete.
  package internal(set) var isUnpackedInPart = false
  /// The number of records, including those of unknown kinds.
  package internal(set) var records = 0
  /// The start of the log on the axis of all logs, in nanoseconds.
  package internal(set) var offset: UInt64 = 0
  package internal(set) var lastTime = Nanoseconds.zero
  /// The range of the log's subscriptions in `LogAnalysis.lifecycles`.
  package internal(set) var members = 0..<0
  package internal(set) var threads: [UInt64: String] = [:]
  /// The places where subscriptions were observed, for each `Lifecycle.observedIndex`.
  var places: [ObservedPlace?] = []
  /// The calls that led to these places, innermost first.
  var callers: [[UnfinishedTask.Call]] = []
  /// The reasons why subscriptions are alive, by the number of the subscription.
  var retentions: [UInt64: Retention] = [:]
  /// Earlier subscriptions of the same lane that observe the same source, by the number of the
  /// subscription.
  var twins: [UInt64: SubscriptionID] = [:]
  /// The tasks that hadn't ended, by the number of the subscription.
  package internal(set) var tasks: [UInt64: UnfinishedTask] = [:]
  /// The objects that leaked, by the number of the subscription.
  package internal(set) var objects: [UInt64: LeakedObjects] = [:]
  /// What an inspection found out about the process. Nil for the logs that programs write.
  package internal(set) var inspection: InspectedProcess?
  /// The size of the memory that was searched for leaked objects, in bytes. Nil for the logs that
  /// programs write.
  package internal(set) var searched: UInt64?
  /// Why it isn't known which tasks can continue. Nil if it is known.
  package internal(set) var taskLimit: Retention.Limit?
  /// The numbers of live objects by class, in the order of the records.
  package internal(set) var instances: [InstanceCounts] = []
  /// The times of the waits of tasks.
  var waits = WaitTimes()
  /// The latest wait of each task that hasn't ended, by the number of the subscription.
  var latestWaits: [UInt64: StartedWait] = [:]
  /// The number of each task that hasn't ended among those of its process, if known.
  var taskNumbers: [UInt64: UInt64] = [:]
  var tails = ThreadTails()
  var table = SubscriptionTable()

  /// The first file without its folders, and the process if it is known.
  package var fileAndTitle: String {
    let file = names.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return [file, header?.process == nil ? nil : title].compactMap(\.self).joined(separator: "  ")
  }

  /// A short name for the log: its process, or else its first file.
  package var title: String {
    guard let process = header?.process else { return names.first ?? "?" }
    return header?.pid.map { "\(process) (\($0))" } ?? process
  }
}
