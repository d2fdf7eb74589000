import TraceFormat

/// A visitor that keeps the next events after a position or before it. It drops all other events
/// before it decodes their text.
struct EventCollector: RecordVisitor {
  /// The direction from the position.
  enum Direction {
    case after, before
  }

  private let analysis: LogAnalysis
  private let position: LogEvent.Position
  private let direction: Direction
  private let maxCount: Int
  private let isWanted: (Int) -> Bool
  private let includesOthers: Bool
  private let textLimit: Int
  private var section = SectionCursor()
  /// The events in ascending order.
  private(set) var events: [LogEvent] = []
  /// The number of lines before the range that is read.
  var lines = 0

  init(
    _ analysis: LogAnalysis, _ direction: Direction, _ position: LogEvent.Position, maxCount: Int,
    textLimit: Int, includesOthers: Bool, where isWanted: @escaping (Int) -> Bool
  ) {
    self.analysis = analysis
    self.direction = direction
    self.position = position
    self.maxCount = maxCount
    self.textLimit = textLimit
    self.includesOthers = includesOthers
    self.isWanted = isWanted
  }

  /// The time of the event that a nearer one would replace first; nil while there is room.
  var bound: Nanoseconds? {
    guard events.count >= maxCount else { return nil }
    return direction == .after ? events.last?.time : events.first?.time
  }

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    guard let (log, time, slot) = slot(time, location),
      let lifecycle = analysis.index(of: moment.id, log: log), isWanted(lifecycle)
    else { return }
    insert(
      LogEvent(.next, time, location.moved(byLines: lines), lifecycle, moment, limit: textLimit),
      slot)
  }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    guard let (log, time, slot) = slot(record.time, location),
      let event = LogEvent(
        record, time, location.moved(byLines: lines), log: log, analysis, limit: textLimit)
    else { return }
    if let lifecycle = event.lifecycle {
      guard isWanted(lifecycle) else { return }
    } else {
      guard includesOthers, event.isNote else { return }
    }
    insert(event, slot)
  }

  /// Returns the log and the time of an event, and the index at which to insert it; nil if the
  /// event is on the wrong side of the position, or too far from it.
  @inline(__always)
  private mutating func slot(
    _ time: Nanoseconds, _ location: TraceRecord.Location
  ) -> (log: Int, time: Nanoseconds, slot: Int)? {
    guard let log = section.log(of: location, in: analysis) else { return nil }
    let time = time.after(analysis.logs[log].offset)
    let position = LogEvent.Position(time: time, file: location.file, offset: location.offset)
    if events.count >= maxCount {
      guard let first = events.first?.position, let last = events.last?.position else { return nil }
      if direction == .after ? position >= last : position <= first { return nil }
    }
    guard direction == .after ? position > self.position : position < self.position else {
      return nil
    }
    // The event nearly always belongs after all others.
    var slot = events.count
    while slot > 0, events[slot - 1].position > position { slot -= 1 }
    return (log, time, slot)
  }

  private mutating func insert(_ event: LogEvent, _ slot: Int) {
    events.insert(event, at: slot)
    guard events.count > maxCount else { return }
    if direction == .after { events.removeLast() } else { events.removeFirst() }
  }
}
