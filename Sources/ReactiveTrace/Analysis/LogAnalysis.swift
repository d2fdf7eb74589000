/// What a whole log says.
package struct LogAnalysis: Sendable {
  /// The last line of a clean exit.
  package struct End: Equatable, Sendable {
    package let time: Nanoseconds
    /// How many records the recorder wrote before this one; `nil` where it does not say.
    package let records: UInt64?
  }

  package internal(set) var header: TraceHeader?
  /// In the order in which they first appear.
  package internal(set) var lifecycles: [Lifecycle] = []
  package internal(set) var end: End?
  /// Whether the log goes on in another file.
  package internal(set) var continues = false
  /// Records that the recorder says it could not write.
  package internal(set) var lost: UInt64 = 0
  /// All records, also those of unknown kinds.
  package internal(set) var records = 0
  package internal(set) var lastTime = Nanoseconds.zero
  package internal(set) var damage = Damage()
  package internal(set) var bytes = 0
  var table = SubscriptionTable()

  package subscript(id: SubscriptionID) -> Lifecycle? {
    table.index(of: id).map { lifecycles[$0] }
  }

  package func index(of id: SubscriptionID) -> Int? {
    table.index(of: id)
  }

  /// From the start of the log to its last record.
  package var duration: Nanoseconds {
    lastTime
  }

  package var activeCount: Int {
    lifecycles.count { $0.isActive }
  }

  /// How long a subscription has lived, or did.
  package func age(of lifecycle: Lifecycle) -> Nanoseconds {
    lifecycle.life ?? duration.since(lifecycle.start)
  }

  /// How many of the records that the recorder counted are not in the log.
  package var missingRecords: UInt64 {
    guard let counted = end?.records else { return 0 }
    let found = UInt64(max(0, records - 1))
    return counted > found ? counted - found : 0
  }

  /// Whether lines were skipped that may have been records of this log. Where the recorder's own count is met, they
  /// were something else that got into the file.
  package var hasDamageThatMatters: Bool {
    missingRecords > 0 || (damage.skippedLines > 0 && end?.records == nil)
  }

  /// Reads a log to its end.
  package static func read(_ file: borrowing LogSource) throws(LogError) -> LogAnalysis {
    var reader = LogReader()
    var analyzer = LogAnalyzer()
    let tally = try reader.read(file, visitor: &analyzer)
    guard tally.bytes > 0 else { throw .empty(file.name) }
    guard tally.knownRecords > 0 else { throw .noTraceLog(file.name) }
    let analysis = analyzer.finish(tally)
    if let header = analysis.header, header.version > LogFormat.version {
      throw .newerVersion(file.name, line: analyzer.headerLine, version: header.version)
    }
    return analysis
  }
}
