import TraceFormat

extension Trace {
  /// One record of a log. The properties correspond to the keys of the log format. A property is
  /// nil if the record doesn't have its key.
  public struct Record: Sendable, Equatable {
    /// The kind of a record. The raw value is its name in the log, such as `next` or `scope-begin`.
    /// Later versions can add more kinds, so a `switch` needs a default case.
    public enum Event: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
      /// The header of the log.
      case trace
      /// The name of a thread.
      case thread
      case subscribe, next, completed, failed, disposed, released
      case breakpoint, mark
      case scopeBegin, scopeEnd
      /// A report of records that are missing from the log.
      case lost
      /// The last line of a file whose log continues in another file.
      case continued
      /// A repetition of a `subscribe` record from an earlier file of the log.
      case alive
      /// The source location of a lane, if it wasn't known when the lane began.
      case place
      /// The reason why a subscription is still alive.
      case retained
      /// A fact about a subscription that wasn't known when its `subscribe` record was written, or
      /// that has changed since.
      case changed
      /// A task that hasn't ended when the log ends.
      case task
      /// A task stopped running. See `REACTIVE_TRACE_TASKS`.
      case suspended
      /// A suspended task runs again.
      case resumed
      /// Instances of a class that grows with each repetition of a scope. In a log of
      /// `trace-viewer`, objects that leaked.
      case object
      /// The numbers of live instances by class. See `REACTIVE_TRACE_INSTANCES`.
      case instances
      /// A process that `trace-viewer` inspected, with its threads and the cause why it hangs.
      case process, stack, hang
      case end
      case other(String)

      public init(stringLiteral name: String) { self.init(rawValue: name) }
    }

    /// The operator that traces a subscription.
    public enum Operator: String, Sendable, CaseIterable {
      case lane, debug, breakpoint
      /// Not an operator: an observation without a lane, if all observations are traced.
      case observe
      /// Not an operator: a task.
      case task
    }

    /// The time since the start of the log.
    public let time: Duration
    public let event: Event
    public let subscription: Int?
    public let lane: String?
    /// The text of an element, truncated to the value limit of the log.
    public let value: String?
    /// The length in bytes of the text before truncation, if the text was truncated. For a long
    /// collection, this is only the length of the part that was made, because the text isn't
    /// completed.
    public let truncated: Int?
    public let error: String?
    public let thread: Int?
    /// The operator that traces the subscription.
    public let `operator`: Operator?
    public let source: String?
    public let function: String?
    public let type: String?
    public let parent: Int?
    public let cause: Int?
    public let scope: Int?
    /// The place where the subscription was observed: a source location, or a name such as `call.7`
    /// that a `place` record explains.
    public let observed: String?
    /// The intended lifetime of the subscription. It is only written if it is `.process`.
    public let lifetime: Lifetime?
    public let name: String?
    /// The record as it appears in a log file, without the line ending.
    public let json: String

    init?(line: [UInt8]) {
      // The strings of the fields point into `line`, which doesn't move.
      let record = line.withUnsafeBufferPointer { bytes -> Record? in
        guard let fields = RecordFields(bytes) else { return nil }
        return Record(fields, line)
      }
      guard let record else { return nil }
      self = record
    }

    private init?(_ fields: borrowing RecordFields, _ line: [UInt8]) {
      guard let time = fields.integer(.t), let event = fields.text(.event) else { return nil }
      // The header line has every key. Most of the values only show the type.
      let isHeader = event.string == LogFormat.Event.trace.rawValue
      func text(_ key: LogFormat.Key, _ fields: borrowing RecordFields) -> String? {
        isHeader ? nil : fields.text(key)?.string
      }
      func number(_ key: LogFormat.Key, _ fields: borrowing RecordFields) -> Int? {
        isHeader ? nil : fields.integer(key).map { Int(clamping: $0) }
      }
      self.time = .nanoseconds(Int64(clamping: time))
      self.event = Event(rawValue: event.string)
      subscription = number(.sub, fields)
      lane = text(.lane, fields)
      value = text(.value, fields)
      truncated = number(.truncated, fields)
      error = text(.error, fields)
      thread = number(.thread, fields)
      `operator` = text(.op, fields).flatMap { Operator(rawValue: $0) }
      source = text(.source, fields)
      function = text(.function, fields)
      type = text(.type, fields)
      parent = number(.parent, fields)
      cause = number(.cause, fields)
      scope = number(.scope, fields)
      observed = text(.observed, fields)
      lifetime = text(.lifetime, fields).flatMap { Lifetime(rawValue: $0) }
      name = text(.name, fields)
      var end = line.count
      while end > 0, line[end - 1] == UInt8(ascii: "\n") { end -= 1 }
      json = String(decoding: line[..<end], as: UTF8.self)
    }
  }
}

extension Trace.Record.Event {
  // The standard library compares raw values with `!=`, so `==` does the same.
  public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  public init(rawValue: String) {
    switch LogFormat.Event(rawValue: rawValue) {
    case .trace: self = .trace
    case .thread: self = .thread
    case .subscribe: self = .subscribe
    case .next: self = .next
    case .completed: self = .completed
    case .failed: self = .failed
    case .disposed: self = .disposed
    case .released: self = .released
    case .breakpoint: self = .breakpoint
    case .mark: self = .mark
    case .scopeBegin: self = .scopeBegin
    case .scopeEnd: self = .scopeEnd
    case .lost: self = .lost
    case .continued: self = .continued
    case .alive: self = .alive
    case .place: self = .place
    case .retained: self = .retained
    case .changed: self = .changed
    case .task: self = .task
    case .suspended: self = .suspended
    case .resumed: self = .resumed
    case .end: self = .end
    case .object: self = .object
    case .instances: self = .instances
    case .process: self = .process
    case .stack: self = .stack
    case .hang: self = .hang
    case nil: self = .other(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .trace: LogFormat.Event.trace.rawValue
    case .thread: LogFormat.Event.thread.rawValue
    case .subscribe: LogFormat.Event.subscribe.rawValue
    case .next: LogFormat.Event.next.rawValue
    case .completed: LogFormat.Event.completed.rawValue
    case .failed: LogFormat.Event.failed.rawValue
    case .disposed: LogFormat.Event.disposed.rawValue
    case .released: LogFormat.Event.released.rawValue
    case .breakpoint: LogFormat.Event.breakpoint.rawValue
    case .mark: LogFormat.Event.mark.rawValue
    case .scopeBegin: LogFormat.Event.scopeBegin.rawValue
    case .scopeEnd: LogFormat.Event.scopeEnd.rawValue
    case .lost: LogFormat.Event.lost.rawValue
    case .continued: LogFormat.Event.continued.rawValue
    case .alive: LogFormat.Event.alive.rawValue
    case .place: LogFormat.Event.place.rawValue
    case .retained: LogFormat.Event.retained.rawValue
    case .changed: LogFormat.Event.changed.rawValue
    case .task: LogFormat.Event.task.rawValue
    case .suspended: LogFormat.Event.suspended.rawValue
    case .resumed: LogFormat.Event.resumed.rawValue
    case .object: LogFormat.Event.object.rawValue
    case .instances: LogFormat.Event.instances.rawValue
    case .process: LogFormat.Event.process.rawValue
    case .stack: LogFormat.Event.stack.rawValue
    case .hang: LogFormat.Event.hang.rawValue
    case .end: LogFormat.Event.end.rawValue
    case .other(let name): name
    }
  }
}
