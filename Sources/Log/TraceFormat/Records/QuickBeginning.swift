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
      id: id, lane: lane, op: op.flatMap { operators.word($0) }, source: source,
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
