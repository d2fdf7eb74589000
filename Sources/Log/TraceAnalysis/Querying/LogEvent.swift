package import TraceFormat

/// The parts of a record that a list of events shows.
package struct LogEvent: Equatable, Sendable {
  /// The position of an event among all events, ordered by time and then by location.
  package struct Position: Comparable, Hashable, Sendable {
    package let time: Nanoseconds
    package let file: Int
    package let offset: Int

    package init(time: Nanoseconds, file: Int, offset: Int) {
      self.time = time
      self.file = file
      self.offset = offset
    }

    /// Creates a position before all events at a time or later.
    package init(before time: Nanoseconds) {
      self.init(time: time, file: -1, offset: -1)
    }

    /// Creates a position after all events up to a time.
    package init(after time: Nanoseconds) {
      self.init(time: time, file: .max, offset: .max)
    }

    package static func < (left: Position, right: Position) -> Bool {
      (left.time, left.file, left.offset) < (right.time, right.file, right.offset)
    }
  }

  package let kind: LogFormat.Event
  /// The time on the axis of all logs.
  package let time: Nanoseconds
  package let location: TraceRecord.Location
  /// The index in `LogAnalysis.lifecycles`; nil for an event that doesn't belong to a subscription.
  package let lifecycle: Int?
  package let thread: UInt64?
  /// The element, the error, or the name of a mark or a scope.
  package let text: String?
  /// A Boolean value that indicates whether the log has more of the text.
  package let isCut: Bool
  /// The number of bytes of the whole text, if the recorder truncated it.
  package let truncated: UInt64?

  package var position: Position {
    Position(time: time, file: location.file, offset: location.offset)
  }
}

extension LogEvent {
  /// Creates an event of a known subscription.
  init(
    _ kind: LogFormat.Event, _ time: Nanoseconds, _ location: TraceRecord.Location,
    _ lifecycle: Int?,
    _ moment: TraceRecord.Moment, limit: Int
  ) {
    self.init(
      kind, time, location, lifecycle, thread: moment.thread, text: moment.text,
      truncated: moment.truncated, limit: limit)
  }

  private init(
    _ kind: LogFormat.Event, _ time: Nanoseconds, _ location: TraceRecord.Location,
    _ lifecycle: Int? = nil, thread: UInt64? = nil, text: RawText? = nil, truncated: UInt64? = nil,
    limit: Int
  ) {
    self.kind = kind
    self.time = time
    self.location = location
    self.lifecycle = lifecycle
    self.thread = thread
    self.truncated = truncated
    let short = text?.text(within: limit)
    self.text = short?.text
    isCut = short?.isCut ?? false
  }

  /// Creates an event from a record; nil for a record of a kind that this version does not support.
  ///
  /// - Parameter time: The time on the axis of all logs.
  init?(
    _ record: TraceRecord, _ time: Nanoseconds, _ location: TraceRecord.Location, log: Int,
    _ analysis: LogAnalysis, limit: Int
  ) {
    if let (kind, moment) = record.body.moment {
      self.init(kind, time, location, analysis.index(of: moment.id, log: log), moment, limit: limit)
      return
    }
    func beginning(_ kind: LogFormat.Event, _ subscribe: TraceRecord.Subscribe) -> LogEvent {
      LogEvent(
        kind, time, location, analysis.index(of: subscribe.id, log: log), thread: subscribe.thread,
        limit: limit)
    }
    func note(
      _ kind: LogFormat.Event, thread: UInt64? = nil, _ text: RawText? = nil
    ) -> LogEvent {
      LogEvent(kind, time, location, thread: thread, text: text, limit: limit)
    }
    switch record.body {
    case .suspended(let suspended):
      self.init(
        .suspended, time, location, of: analysis.index(of: suspended.id, log: log),
        name: suspended.wait?.rawValue, limit: limit)
    case .resumed(let id, _):
      self.init(.resumed, time, location, analysis.index(of: id, log: log), limit: limit)
    case .subscribe(let subscribe): self = beginning(.subscribe, subscribe)
    case .alive(let subscribe): self = beginning(.alive, subscribe)
    case .mark(let name): self = note(.mark, name)
    case .scopeBegin(let it): self = note(.scopeBegin, it.name)
    case .scopeEnd(let number, _):
      let name = analysis.scope(number, log: log)?.name
      self.init(.scopeEnd, time, location, name: name, limit: limit)
    case .trace: self = note(.trace)
    case .thread(let number, let name): self = note(.thread, thread: number, name)
    case .place(let lane, _, _, _): self = note(.place, lane)
    case .lost(_, let reason): self = note(.lost, reason)
    case .end: self = note(.end)
    case .continued: self = note(.continued)
    default: return nil
    }
  }

  private init(
    _ kind: LogFormat.Event, _ time: Nanoseconds, _ location: TraceRecord.Location,
    of lifecycle: Int? = nil, name: String?, limit: Int
  ) {
    self.kind = kind
    self.time = time
    self.location = location
    self.lifecycle = lifecycle
    thread = nil
    truncated = nil
    let end = name?.bytesOfCharacters(within: limit) ?? 0
    text = name.map { String($0.utf8.prefix(end)) ?? $0 }
    isCut = end < name?.utf8.count ?? 0
  }

  /// A Boolean value that indicates whether the event is the user's own: a mark, or the beginning
  /// or end of a scope.
  var isNote: Bool {
    switch kind {
    case .mark, .scopeBegin, .scopeEnd: true
    default: false
    }
  }
}

extension RawText {
  /// Returns the first whole characters of the text, in at most `limit` bytes. The bytes after them
  /// are not decoded.
  fileprivate func text(within limit: Int) -> (text: String, isCut: Bool) {
    // An escape of six bytes, such as `\u00e9`, stands for at least one byte.
    let enough = limit.multipliedReportingOverflow(by: 6)
    let prefix = enough.overflow ? count : min(count, enough.partialValue + 24)
    let whole = RawText(start: start, count: prefix, isEscaped: isEscaped).string
    let end = whole.bytesOfCharacters(within: limit)
    guard end < whole.utf8.count else { return (whole, prefix < count) }
    return (String(whole.utf8.prefix(end)) ?? whole, true)
  }
}
