import TraceFormat

/// A reader of the events that each snapshot of a followed log has in addition to the previous one.
package struct NewEventReader {
  private let textLimit: Int
  /// The events whose subscriptions aren't known yet. Another thread may be writing these.
  private var orphans: [TraceRecord.Location] = []
  private var restarts = 0

  /// The maximum number of events that wait for their subscriptions.
  private static let maxOrphans = 1000

  /// Creates a reader.
  ///
  /// - Parameter textLimit: The maximum number of bytes of a string to show.
  package init(textLimit: Int = 1024) {
    self.textLimit = textLimit
  }

  /// Passes the new events of a snapshot to `body`: late ones first, then the others in the order
  /// of the file. They aren't kept in memory.
  ///
  /// Each snapshot must be passed once, in order.
  package mutating func read(
    _ snapshot: LogSnapshot, _ body: @escaping (LogEvent) -> Void
  ) throws(LogError) {
    if snapshot.restarts != restarts {
      restarts = snapshot.restarts
      orphans = []
    }
    let (news, files) = (snapshot.news, snapshot.analysis.files)
    let reader = EventReader(snapshot, textLimit: textLimit)
    let late = news.late.sorted { ($0.file, $0.offset) < ($1.file, $1.offset) }
    let waiting = late + orphans
    orphans = []
    for location in waiting {
      guard let event = reader.event(at: location) else { continue }
      if event.isListed {
        body(event)
      } else if event.isOfSubscription {
        orphans.append(location)
      }
    }
    var visitor = NewEventVisitor(snapshot, textLimit: textLimit, orphans, body)
    var lines = LogReader(bufferSize: 1 << 16)
    for part in news.ranges where files.indices.contains(part.file) {
      _ = try lines.read(files[part.file], part.range, index: part.file, visitor: &visitor)
    }
    orphans = visitor.orphans.suffix(Self.maxOrphans)
  }
}

extension LogEvent {
  /// A Boolean value that indicates whether lists of events show the event.
  fileprivate var isListed: Bool { lifecycle != nil || isNote }

  /// A Boolean value that indicates whether the event belongs to a subscription, known or not.
  fileprivate var isOfSubscription: Bool {
    switch kind {
    case .mark, .scopeBegin, .scopeEnd, .trace, .thread, .place, .lost, .end, .continued: false
    default: true
    }
  }
}

/// A visitor that passes on each event that was there when the snapshot was made.
private struct NewEventVisitor: RecordVisitor {
  private let analysis: LogAnalysis
  private let news: LogNews
  private let textLimit: Int
  private let body: (LogEvent) -> Void
  private var section = SectionCursor()
  private(set) var orphans: [TraceRecord.Location]

  init(
    _ snapshot: LogSnapshot, textLimit: Int, _ orphans: [TraceRecord.Location],
    _ body: @escaping (LogEvent) -> Void
  ) {
    analysis = snapshot.analysis
    news = snapshot.news
    self.textLimit = textLimit
    self.orphans = orphans
    self.body = body
  }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    guard !record.isUnfinished, !news.isInGap(location),
      let log = section.log(of: location, in: analysis),
      let event = LogEvent(
        record, record.time.after(analysis.logs[log].offset), location, log: log, analysis,
        limit: textLimit)
    else { return }
    if event.isListed {
      body(event)
    } else if event.isOfSubscription {
      orphans.append(location)
    }
  }
}
