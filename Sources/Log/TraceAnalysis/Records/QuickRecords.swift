import TraceFormat

/// A reader of `subscribe` records in the form that the recorder writes: with its keys in its
/// order, and without spaces between them.
enum QuickBeginning {
  /// Returns the record of a line, or `nil` if it is anything else.
  static func record(
    _ start: JSONCursor, _ operators: WordTable<LogFormat.Operator>
  ) -> (time: Nanoseconds, beginning: TraceRecord.Subscribe)? {
    var cursor = start
    guard cursor.take("{\"t\":"), let time = cursor.takeInteger(),
      cursor.take(",\"event\":\"subscribe\",\"sub\":"), let number = cursor.takeInteger(),
      let id = SubscriptionID(number),
      case .text(let lane?) = text(",\"lane\":\"", &cursor),
      case .integer(let thread) = integer(",\"thread\":", &cursor),
      case .text(let op) = text(",\"op\":\"", &cursor),
      case .text(let library) = text(",\"library\":\"", &cursor),
      case .text(let source) = text(",\"source\":\"", &cursor),
      case .text(let function) = text(",\"function\":\"", &cursor),
      case .text(let type) = text(",\"type\":\"", &cursor),
      case .integer(let parent) = integer(",\"parent\":", &cursor),
      case .integer(let cause) = integer(",\"cause\":", &cursor),
      case .integer(let scope) = integer(",\"scope\":", &cursor),
      case .text(let lifetime) = text(",\"lifetime\":\"", &cursor),
      case .text(let observed) = text(",\"observed\":\"", &cursor),
      case .integer(let task) = integer(",\"task\":", &cursor),
      cursor.take("}"), cursor.isAtEnd
    else { return nil }
    let subscribe = TraceRecord.Subscribe(
      id: id, lane: lane, op: op.flatMap { operators.word($0) },
      library: library.flatMap { LogFormat.StreamLibrary(rawValue: $0.string) }, source: source,
      function: function, type: type, thread: thread,
      parent: parent.flatMap { SubscriptionID($0) }, cause: cause.flatMap { SubscriptionID($0) },
      scope: scope, livesUntilExit: lifetime?.string == "process", observed: observed,
      isShared: false, twin: nil, task: task)
    return (Nanoseconds(time), subscribe)
  }

  /// The value of a key that may be absent.
  private enum Value {
    case text(RawText?)
    case integer(UInt64?)
    case other
  }

  @inline(__always)
  private static func text(_ key: StaticString, _ cursor: inout JSONCursor) -> Value {
    guard cursor.take(key) else { return .text(nil) }
    return (try? cursor.string()).map { .text($0) } ?? .other
  }

  @inline(__always)
  private static func integer(_ key: StaticString, _ cursor: inout JSONCursor) -> Value {
    guard cursor.take(key) else { return .integer(nil) }
    return cursor.takeInteger().map { .integer($0) } ?? .other
  }
}

/// A reader of the waits of tasks in the form that the recorder writes, without spaces between the
/// keys. A log can have millions of them.
enum QuickWait {
  /// Returns the record of a line, or `nil` if it is anything else.
  static func record(_ start: JSONCursor) -> TraceRecord? {
    var cursor = start
    guard cursor.take("{\"t\":"), let time = cursor.takeInteger() else { return nil }
    let body: TraceRecord.Body?
    if cursor.take(",\"event\":\"resumed\",\"sub\":") {
      body = resumed(&cursor)
    } else if cursor.take(",\"event\":\"suspended\",\"sub\":") {
      body = suspended(&cursor)
    } else {
      body = nil
    }
    guard let body, cursor.take("}"), cursor.isAtEnd else { return nil }
    return TraceRecord(time: Nanoseconds(time), body: body)
  }

  private static func resumed(_ cursor: inout JSONCursor) -> TraceRecord.Body? {
    guard let (id, lane) = subscription(&cursor) else { return nil }
    return .resumed(id, lane: lane)
  }

  /// Reads the keys in any order. A key that occurs twice is left to the full parser.
  private static func suspended(_ cursor: inout JSONCursor) -> TraceRecord.Body? {
    guard let (id, lane) = subscription(&cursor) else { return nil }
    var wait: RawText?
    var source: RawText?
    var function: RawText?
    var observed: RawText?
    var frames: RawText?
    var awaited: [SubscriptionID]?
    while true {
      if wait == nil, cursor.take(",\"wait\":\"") {
        guard let text = try? cursor.string() else { return nil }
        wait = text
      } else if observed == nil, cursor.take(",\"observed\":\"") {
        guard let text = try? cursor.string() else { return nil }
        observed = text
      } else if frames == nil, cursor.take(",\"frames\":\"") {
        guard let text = try? cursor.string() else { return nil }
        frames = text
      } else if source == nil, cursor.take(",\"source\":\"") {
        guard let text = try? cursor.string() else { return nil }
        source = text
      } else if function == nil, cursor.take(",\"function\":\"") {
        guard let text = try? cursor.string() else { return nil }
        function = text
      } else if awaited == nil, cursor.take(",\"awaits\":[") {
        guard let list = subscriptions(&cursor) else { return nil }
        awaited = list
      } else {
        break
      }
    }
    return .suspended(
      TraceRecord.Suspended(
        id: id, lane: lane, wait: wait.flatMap(self.wait), awaited: awaited ?? [], source: source,
        function: function, observed: observed))
  }

  private static func subscription(
    _ cursor: inout JSONCursor
  ) -> (SubscriptionID, lane: RawText?)? {
    guard let number = cursor.takeInteger(), let id = SubscriptionID(number) else { return nil }
    guard cursor.take(",\"lane\":\"") else { return (id, nil) }
    guard let lane = try? cursor.string() else { return nil }
    return (id, lane)
  }

  /// Reads the rest of a list of objects that have only the key `sub`.
  private static func subscriptions(_ cursor: inout JSONCursor) -> [SubscriptionID]? {
    var list: [SubscriptionID] = []
    repeat {
      guard cursor.take("{\"sub\":"), let number = cursor.takeInteger(), cursor.take("}") else {
        return nil
      }
      if let id = SubscriptionID(number) { list.append(id) }
    } while cursor.take(",")
    return cursor.take("]") ? list : nil
  }

  private static let waits = WordTable<UnfinishedTask.Wait>()

  private static func wait(_ text: RawText) -> UnfinishedTask.Wait? { waits.word(text) }
}
