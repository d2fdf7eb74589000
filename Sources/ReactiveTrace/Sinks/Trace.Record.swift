import TraceFormat

extension Trace {
  /// One record of a log. The properties correspond to the keys of the log format. A property is
  /// nil if the record doesn't have its key.
  public struct Record: Sendable, Equatable {
    /// The kind of a record. The raw value is its name in the log, such as `next` or `scope-begin`.
    /// Later versions can add more kinds, so a `switch` needs a default case.
    public struct Event: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
      public let rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }
      public init(stringLiteral name: String) { rawValue = name }
      private init(_ event: LogFormat.Event) { rawValue = event.rawValue }

      /// The header of the log.
      public static var trace: Event { Event(.trace) }
      /// The name of a thread.
      public static var thread: Event { Event(.thread) }
      public static var subscribe: Event { Event(.subscribe) }
      public static var next: Event { Event(.next) }
      public static var completed: Event { Event(.completed) }
      public static var failed: Event { Event(.failed) }
      public static var disposed: Event { Event(.disposed) }
      public static var released: Event { Event(.released) }
      public static var breakpoint: Event { Event(.breakpoint) }
      public static var mark: Event { Event(.mark) }
      public static var scopeBegin: Event { Event(.scopeBegin) }
      public static var scopeEnd: Event { Event(.scopeEnd) }
      /// A report of records that are missing from the log.
      public static var lost: Event { Event(.lost) }
      /// The last line of a file whose log continues in another file.
      public static var continued: Event { Event(.continued) }
      /// A repetition of a `subscribe` record from an earlier file of the log.
      public static var alive: Event { Event(.alive) }
      /// The source location of a lane, if it wasn't known when the lane began.
      public static var place: Event { Event(.place) }
      /// The reason why a subscription is still alive.
      public static var retained: Event { Event(.retained) }
      /// A fact about a subscription that wasn't known when its `subscribe` record was written, or
      /// that has changed since.
      public static var changed: Event { Event(.changed) }
      /// A task that hasn't ended when the log ends.
      public static var task: Event { Event(.task) }
      /// A task stopped running. See `REACTIVE_TRACE_TASKS`.
      public static var suspended: Event { Event(.suspended) }
      /// A suspended task runs again.
      public static var resumed: Event { Event(.resumed) }
      /// Instances of a class that grows with each repetition of a scope. In a log of
      /// `trace-viewer`, objects that leaked.
      public static var object: Event { Event(.object) }
      /// The numbers of live instances by class. See `REACTIVE_TRACE_INSTANCES`.
      public static var instances: Event { Event(.instances) }
      /// A process that `trace-viewer` inspected.
      public static var process: Event { Event(.process) }
      /// A thread of such a process.
      public static var stack: Event { Event(.stack) }
      /// The cause why such a process hangs.
      public static var hang: Event { Event(.hang) }
      public static var end: Event { Event(.end) }
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
    /// The library of the subscription, such as `OpenCombine`, or nil for ReactiveKit.
    public let library: String?
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
      library = text(.library, fields)
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
