package import TraceFormat

/// One log: what one process wrote, into one file or several.
package struct TraceLog: Sendable {
  /// The names of its files, as whoever opened them named them.
  package internal(set) var names: [String]
  package internal(set) var header: TraceHeader?
  package internal(set) var end: LogEnd?
  /// Whether it goes on in a file that was not read.
  package internal(set) var continues = false
  /// Records that the recorder says it could not write.
  package internal(set) var lost: UInt64 = 0
  /// How many of the records that the recorder counted are not there.
  package internal(set) var missing: UInt64 = 0
  /// How many more there are than the recorder counted.
  package internal(set) var extra: UInt64 = 0
  /// Whether the first of its files was read.
  package internal(set) var hasBeginning = true
  /// Lines that were left out, of files whose recorder did not count its records: they may have been some.
  package internal(set) var uncountedSkips = 0
  /// Numbers that more than one subscription has.
  package internal(set) var reusedNumbers = 0
  /// Whether a compressed file of it is not whole.
  package internal(set) var isUnpackedInPart = false
  /// All records, also those of unknown kinds.
  package internal(set) var records = 0
  /// When its time was 0, on the axis of all logs.
  package internal(set) var offset: UInt64 = 0
  package internal(set) var lastTime = Nanoseconds.zero
  /// Its subscriptions in `LogAnalysis.lifecycles`.
  package internal(set) var members = 0..<0
  package internal(set) var threads: [UInt64: String] = [:]
  var tails = ThreadTails()
  var table = SubscriptionTable()

  /// Who wrote it, as short as it can be told.
  package var title: String {
    guard let process = header?.process else { return names.first ?? "?" }
    return header?.pid.map { "\(process) (\($0))" } ?? process
  }
}
