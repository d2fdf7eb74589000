package import TraceFormat

extension LogAnalysis {
  /// An event of a subscription, read again from its location in the log.
  package struct Event: Sendable {
    package let kind: LogFormat.Event
    package let time: Nanoseconds
    package let location: TraceRecord.Location
    /// The element of a `next`, or the error of a `failed`.
    package let text: String?
  }

  /// Returns the text of the last event of a subscription.
  package func lastText(of lifecycle: Lifecycle) -> String? {
    lastEvents(of: lifecycle, maxCount: 1).last?.text
  }

  /// The number of bytes before the last record in which to search for other events.
  private static let window = 1 << 16

  /// Returns the last events of a subscription, as far as they are near each other in the log; the
  /// latest comes last.
  package func lastEvents(of lifecycle: Lifecycle, maxCount: Int) -> [Event] {
    let last = lifecycle.last.location
    let begins = beginning(ofLogAt: last)
    let start = maxCount > 1 ? max(begins, last.offset - Self.window) : last.offset
    let range = TraceRecord.Location(
      file: last.file, line: 0, offset: start, length: last.offset + last.length - start)
    let bytes = files[last.file].bytes(at: range)
    guard bytes.count == range.length else { return [] }
    var parser = RecordParser()
    var events: [Event] = []
    var end = bytes.count
    var line = last.line
    while end > 0, events.count < maxCount {
      let begin = (bytes[..<end].lastIndex(of: 0x0A) ?? -1) + 1
      // The first bytes of the range may be the end of a line.
      if begin == 0, start > begins, start != last.offset { break }
      let location = TraceRecord.Location(
        file: last.file, line: line, offset: start + begin, length: end - begin)
      let record = bytes[begin..<end].withUnsafeBufferPointer { try? parser.parse($0) }
      if let record, let event = event(record, of: lifecycle, at: location) { events.append(event) }
      end = max(0, begin - 1)
      line -= 1
    }
    return events.reversed()
  }

  /// Returns the offset at which the log of a record begins in its file. Records before it are
  /// about other subscriptions.
  private func beginning(ofLogAt location: TraceRecord.Location) -> Int {
    let index = section(of: location)
    guard sections.indices.contains(index), sections[index].file == location.file else { return 0 }
    return min(sections[index].offset, location.offset)
  }

  /// Returns the text of the event at a location: the element of a `next`, the error of a `failed`.
  package func text(at location: TraceRecord.Location) -> String? {
    let bytes = files[location.file].bytes(at: location)
    guard bytes.count == location.length else { return nil }
    var parser = RecordParser()
    return bytes.withUnsafeBufferPointer { line -> String? in
      guard let record = try? parser.parse(line) else { return nil }
      switch record.body {
      case .next(let moment), .failed(let moment), .breakpoint(let moment):
        return moment.text?.string
      default:
        return nil
      }
    }
  }

  private func event(
    _ record: TraceRecord, of lifecycle: Lifecycle, at location: TraceRecord.Location
  ) -> Event? {
    guard let (kind, moment) = record.body.moment, moment.id == lifecycle.id else { return nil }
    let time = record.time.after(logs[Int(lifecycle.log)].offset)
    return Event(kind: kind, time: time, location: location, text: moment.text?.string)
  }

  /// Returns the subscriptions that a subscription was made for, the nearest first. The list ends
  /// where they form a cycle.
  package func ancestors(of lifecycle: Lifecycle, maxCount: Int = .max) -> [Int] {
    var seen: Set<Int> = []
    var ancestors: [Int] = []
    var current = parent(of: lifecycle)
    while let index = current, ancestors.count < maxCount, seen.insert(index).inserted {
      ancestors.append(index)
      current = parent(of: lifecycles[index])
    }
    return ancestors
  }
}
