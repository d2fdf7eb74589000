import TraceFormat

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
