import TraceFormat

extension Trace {
  /// One record of a log. The properties correspond to the keys of the log format. A property is
  /// nil if the record lacks its key.
  public struct Record: Sendable, Equatable {
    /// The kind of a record, identified by its name in the log: `subscribe`, `next`, `completed`,
    /// ... Later versions may add more kinds.
    public struct Event: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
      public let rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }
      public init(stringLiteral name: String) { rawValue = name }
    }

    /// The time since the start of the log.
    public let time: Duration
    public let event: Event
    public let subscription: Int?
    public let lane: String?
    /// The text of an element, cut to the value limit of the log.
    public let value: String?
    /// The length of the whole text in bytes, if the text was cut.
    public let truncated: Int?
    public let error: String?
    public let thread: Int?
    /// The operator that traces the subscription: `lane`, `debug`, `breakpoint`, or `observe`.
    public let op: String?
    public let source: String?
    public let function: String?
    public let type: String?
    public let parent: Int?
    public let cause: Int?
    public let scope: Int?
    public let lifetime: String?
    public let name: String?
    /// The record as it appears in a log file, without the line ending.
    public let json: String

    init?(line: [UInt8]) {
      var fields = RecordFields()
      let isRead = line.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return false }
        var cursor = JSONCursor(position: start, end: start + bytes.count)
        do { try fields.read(&cursor) } catch { return false }
        return true
      }
      // The texts point into `line`, which does not move.
      let record = line.withUnsafeBufferPointer { _ in isRead ? Record(fields, line) : nil }
      guard let record else { return nil }
      self = record
    }

    private init?(_ fields: borrowing RecordFields, _ line: [UInt8]) {
      guard let time = fields.integer(.t), let event = fields.text(.event) else { return nil }
      // The header line has every key, most of them with a value that only shows its type.
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
      op = text(.op, fields)
      source = text(.source, fields)
      function = text(.function, fields)
      type = text(.type, fields)
      parent = number(.parent, fields)
      cause = number(.cause, fields)
      scope = number(.scope, fields)
      lifetime = text(.lifetime, fields)
      name = text(.name, fields)
      var end = line.count
      while end > 0, line[end - 1] == UInt8(ascii: "\n") { end -= 1 }
      json = String(decoding: line[..<end], as: UTF8.self)
    }
  }
}
