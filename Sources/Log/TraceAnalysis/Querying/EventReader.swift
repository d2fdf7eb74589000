import TraceFormat

/// A reader of events from any position in the logs. It parses as little as it can.
package struct EventReader {
  private let analysis: LogAnalysis
  private let elements: ElementIndex
  let chunks: ChunkIndex
  private let textLimit: Int

  /// Creates a reader.
  ///
  /// - Parameter textLimit: The maximum number of bytes of a string to show.
  package init(_ snapshot: LogSnapshot, textLimit: Int = 1024) {
    analysis = snapshot.analysis
    elements = snapshot.elements
    chunks = snapshot.chunks
    self.textLimit = textLimit
  }

  /// Returns the next events after a position.
  ///
  /// - Parameters:
  ///   - maxCount: The maximum number of events.
  ///   - members: The indices of the wanted subscriptions, if they are known. Otherwise, the reader
  ///     calls `isWanted` for all.
  ///   - isWanted: A function that reports whether the events of the subscription at an index are
  ///     wanted.
  ///   - includesOthers: True to include marks and scopes.
  /// - Returns: The events in the order of their positions.
  package func events(
    after position: LogEvent.Position, maxCount: Int, members: MemberList? = nil,
    where isWanted: @escaping (Int) -> Bool = { _ in true }, includesOthers: Bool = true
  ) throws(LogError) -> [LogEvent] {
    try events(.after, position, maxCount, members, isWanted, includesOthers)
  }

  /// Returns the last events before a position: the nearest ones, in the order of their positions.
  package func events(
    before position: LogEvent.Position, maxCount: Int, members: MemberList? = nil,
    where isWanted: @escaping (Int) -> Bool = { _ in true }, includesOthers: Bool = true
  ) throws(LogError) -> [LogEvent] {
    try events(.before, position, maxCount, members, isWanted, includesOthers)
  }

  private func events(
    _ direction: EventCollector.Direction, _ position: LogEvent.Position, _ maxCount: Int,
    _ members: MemberList?, _ isWanted: @escaping (Int) -> Bool, _ includesOthers: Bool
  ) throws(LogError) -> [LogEvent] {
    guard maxCount > 0 else { return [] }
    var collector = EventCollector(
      analysis, direction, position, maxCount: maxCount, textLimit: textLimit,
      includesOthers: includesOthers, where: isWanted)
    var search = EventSearch(self, isForward: direction == .after, position) {
      elements.nearest(
        position.time, isForward: direction == .after, maxCount: maxCount,
        members: members ?? MemberList(analysis.lifecycles.indices.filter(isWanted)),
        includesOthers: includesOthers)
    }
    var reader = LogReader(bufferSize: 1 << 16)
    while let chunk = search.next(bound: collector.bound) {
      guard search.times.isEmpty else {
        try readTimes(of: search, first: chunk, &collector)
        break
      }
      try read(chunks.chunks[chunk], &reader, &collector)
    }
    return collector.events
  }

  /// Reads only the events that the index found.
  private func readTimes(
    of search: EventSearch, first: Int, _ collector: inout EventCollector
  ) throws(LogError) {
    var search = search
    var reader = TimedLineReader(search.times)
    var next: Int? = first
    while let chunk = next.map({ chunks.chunks[$0] }) {
      try reader.read(chunk, of: analysis.files[chunk.file], &collector)
      next = search.next(bound: collector.bound)
    }
  }

  private func read(
    _ chunk: LogChunk, _ reader: inout LogReader, _ collector: inout EventCollector
  ) throws(LogError) {
    collector.lines = chunk.line - 1
    _ = try reader.read(
      analysis.files[chunk.file], chunk.offset..<chunk.end, index: chunk.file, visitor: &collector)
  }

  /// Returns the event at a location, or nil if the line there isn't an event.
  package func event(at location: TraceRecord.Location) -> LogEvent? {
    guard analysis.files.indices.contains(location.file) else { return nil }
    var section = SectionCursor()
    guard let log = section.log(of: location, in: analysis) else { return nil }
    let bytes = analysis.files[location.file].bytes(at: location)
    return bytes.withUnsafeBufferPointer { line in
      var parser = RecordParser()
      guard let record = try? parser.parse(line) else { return nil }
      return LogEvent(
        record, record.time.after(analysis.logs[log].offset), location, log: log, analysis,
        limit: textLimit)
    }
  }
}

extension EventReader {
  /// Returns every key of the line at a location with its value, in the order of the line. Strings
  /// are unescaped; other values are as in the line. The result is empty if there isn't an object
  /// at the location.
  package func fields(at location: TraceRecord.Location) -> [(key: String, value: String)] {
    guard analysis.files.indices.contains(location.file) else { return [] }
    let bytes = analysis.files[location.file].bytes(at: location)
    return bytes.withUnsafeBufferPointer { line in
      guard let start = line.baseAddress else { return [] }
      var cursor = JSONCursor(position: start, end: start + line.count)
      return (try? cursor.fields()) ?? []
    }
  }
}

extension JSONCursor {
  fileprivate mutating func fields() throws(LineFault) -> [(key: String, value: String)] {
    var fields: [(key: String, value: String)] = []
    skipSpace()
    try expect(UInt8(ascii: "{"))
    skipSpace()
    if try take(UInt8(ascii: "}")) { return fields }
    repeat {
      skipSpace()
      try expect(UInt8(ascii: "\""))
      let key = try string().string
      skipSpace()
      try expect(UInt8(ascii: ":"))
      skipSpace()
      fields.append((key, try text()))
      skipSpace()
    } while try take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
    return fields
  }

  private mutating func text() throws(LineFault) -> String {
    if try take(UInt8(ascii: "\"")) { return try string().string }
    let start = position
    try skipValue()
    return RawText(start: start, count: position - start, isEscaped: false).string
  }
}
