import SystemLibrary
import TraceFormat

/// A reader that splits a log into lines, parses them into records and passes the records to a
/// visitor.
///
/// It has only one buffer, regardless of the length of the log. The buffer only grows for a line
/// that doesn't fit.
package struct LogReader: ~Copyable {
  /// The maximum length of a line, in bytes. Longer lines are skipped. No record is nearly that
  /// long.
  package static let maxLineLength = 64 << 20

  private var parser = RecordParser()
  private var buffer: UnsafeMutableRawBufferPointer
  /// The number of bytes to read at a time. The buffer is larger after a long line.
  private let step: Int
  private var window = ReadingWindow(0..<0)
  private var tally = ReadingTally()
  private var fileIndex = 0
  private var upcoming = UpcomingEvents()

  /// Creates a reader.
  ///
  /// - Parameter bufferSize: The initial size of the buffer, in bytes.
  package init(bufferSize: Int = 1 << 18) {
    step = max(bufferSize, 1)
    buffer = Self.makeBuffer(step)
  }

  deinit {
    buffer.deallocate()
  }

  /// Reads the lines that begin in `range`, a range of bytes; nil reads all lines.
  ///
  /// Lines are counted from the beginning of the range. Each line is read by exactly one of the
  /// readers of neighboring ranges.
  ///
  /// - Parameters:
  ///   - index: The index of the file among those that are read, for the locations of records.
  ///   - progress: A function that is called with the number of bytes of the range that were read
  ///     since its last call.
  package mutating func read(
    _ file: LogSource, _ range: Range<Int>? = nil, index: Int = 0,
    visitor: inout some RecordVisitor, progress: ((Int) -> Void)? = nil
  ) throws(LogError) -> ReadingTally {
    let range = (range ?? 0..<file.size).clamped(to: 0..<file.size)
    tally = ReadingTally()
    fileIndex = index
    window = ReadingWindow(range)
    while window.phase != .finished {
      let searched = window.count
      let hasRead = try fill(from: file)
      progress?(window.takeProgress())
      guard hasRead else {
        readLastLine(&visitor)
        break
      }
      guard let first = firstLine(searched: searched) else { continue }
      var consumed = first
      if window.phase != .finished {
        consumed = lines(from: first, searched: max(first, searched), &visitor)
      }
      if consumed == 0, window.count == buffer.count, !grow() {
        // The rest of the line is skipped, even if it continues after the range.
        noteLongLine(&visitor)
        window.skip()
      } else {
        remove(consumed)
      }
    }
    progress?(window.unreported)
    tally.bytes = range.count
    return tally
  }

  /// Appends bytes of the file to the window, and returns false if the file ends there.
  private mutating func fill(from file: LogSource) throws(LogError) -> Bool {
    // A line that begins after the range isn't part of it, so skipping ends at the limit. A longer
    // part of a long line is only searched again after its length has doubled.
    let wanted =
      window.phase == .skippingLine ? window.limit - window.end : max(step, window.count)
    let end = min(buffer.count, window.count + wanted)
    let count = try file.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[window.count..<end]), from: window.end)
    window.append(count)
    return count > 0
  }

  /// Returns the index of the first line in the window that isn't skipped; nil if the window was
  /// skipped. No skipped line ends before `searched`.
  private mutating func firstLine(searched: Int) -> Int? {
    guard window.phase == .skippingLine else { return 0 }
    guard let found = newline(from: searched, to: window.count) else {
      window.skip()
      return nil
    }
    window.beginLine(at: found + 1)
    return found + 1
  }

  /// Reads the last line if the file ends without a newline.
  private mutating func readLastLine(_ visitor: inout some RecordVisitor) {
    guard window.phase == .readingLines, window.count > 0 else { return }
    line(0, window.count, offset: window.start, &visitor)
  }

  /// Removes bytes at the start of the buffer and the window.
  private mutating func remove(_ consumed: Int) {
    window.removeFirst(consumed)
    guard consumed > 0, window.count > 0, let base = buffer.baseAddress else { return }
    memmove(base, base + consumed, window.count)
  }

  private func newline(from start: Int, to end: Int) -> Int? {
    guard let base = buffer.baseAddress, start < end,
      let found = memchr(base + start, 0x0A, end - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Reads the whole lines in the window, and returns the index after the last of them. No line
  /// ends before `searched`.
  private mutating func lines(
    from first: Int, searched: Int, _ visitor: inout some RecordVisitor
  ) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    let bytes = UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
    let filled = window.count
    let offset = window.start
    let end = min(filled, window.limit - offset)
    var start = first
    var search = searched
    let isAhead = visitor.preparesEvents
    // The text of events is in the buffer, so all events are delivered before this function
    // returns.
    defer { upcoming.deliver(to: &visitor) }
    while start < end {
      start =
        isAhead
        ? elementsAhead(bytes, start..<end, filled, offset: offset, &visitor)
        : elements(bytes, start..<end, filled, offset: offset, &visitor)
      guard start < end else { break }
      if let event = ElementScanner(endAt: bytes + start, limit: bytes + filled) {
        let length = event.end - (bytes + start)
        upcoming.add(event, event.kind, at: note(start, length, offset: offset, &visitor))
        if upcoming.isFull || !isAhead { upcoming.deliver(to: &visitor) }
        start += length + 1
        continue
      }
      upcoming.deliver(to: &visitor)
      search = max(search, start)
      guard search < filled, let found = memchr(base + search, 0x0A, filled - search) else { break }
      let lineEnd = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      line(start, lineEnd, offset: offset, &visitor)
      start = lineEnd + 1
    }
    window.beginLine(at: start)
    return start
  }

  /// Visits or collects the elements at the start of a range, and returns the start of the first
  /// line that isn't an element. `collects` is a constant at each call, so each call gets its own
  /// loop.
  @inline(__always)
  private mutating func elements(
    _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, _ filled: Int, offset: Int,
    collects: Bool = false, _ visitor: inout some RecordVisitor
  ) -> Int {
    var start = range.lowerBound
    while start < range.upperBound,
      let element = ElementScanner(bytes + start, limit: bytes + filled)
    {
      let length = element.end - (bytes + start)
      let location = note(start, length, offset: offset, &visitor)
      if collects {
        upcoming.add(element, .next, at: location)
        if upcoming.isFull { upcoming.deliver(to: &visitor) }
      } else {
        visitor.visitElement(element.moment, at: Nanoseconds(element.time), location)
      }
      start += length + 1
    }
    return start
  }

  /// Collects elements. This isn't inlined, because one loop for both purposes takes a sixteenth
  /// more time for logs whose elements aren't collected.
  @inline(never)
  private mutating func elementsAhead(
    _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, _ filled: Int, offset: Int,
    _ visitor: inout some RecordVisitor
  ) -> Int {
    elements(bytes, range, filled, offset: offset, collects: true, &visitor)
  }

  /// Counts an event, and returns its location.
  @inline(__always)
  private mutating func note(
    _ start: Int, _ length: Int, offset: Int, _ visitor: inout some RecordVisitor
  ) -> TraceRecord.Location {
    tally.lines += 1
    tally.records += 1
    tally.knownRecords += 1
    tally.isBlank = false
    if tally.cutLine != nil { noteCutLine(&visitor) }
    return TraceRecord.Location(
      file: fileIndex, line: tally.lines, offset: offset + start, length: length)
  }

  private mutating func line(
    _ start: Int, _ end: Int, offset: Int, _ visitor: inout some RecordVisitor
  ) {
    tally.lines += 1
    guard let base = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    var start = start
    var end = end
    if tally.lines == 1, offset == 0, hasByteOrderMark(start, end) { start += 3 }
    // Spaces around a line, the CR of a CRLF, and NUL bytes that a file system left are ignored.
    while start < end, isPadding(base[end - 1]) { end -= 1 }
    while start < end, isPadding(base[start]) { start += 1 }
    guard start < end else { return }

    tally.isBlank = false
    if tally.cutLine != nil { noteCutLine(&visitor) }
    let location = TraceRecord.Location(
      file: fileIndex, line: tally.lines, offset: offset + start, length: end - start)
    let line = UnsafeBufferPointer(start: base + start, count: end - start)
    if let (time, beginning) = parser.beginning(of: line) {
      tally.records += 1
      tally.knownRecords += 1
      return visitor.visitBeginning(beginning, at: time, location)
    }
    do throws(LineFault) {
      let record = try parser.parse(line)
      tally.records += 1
      if case .unknown = record.body {} else { tally.knownRecords += 1 }
      visitor.visit(record, at: location)
    } catch {
      switch error {
      case .cut: tally.cutLine = tally.lines
      case .malformed: skip(.malformed, line: tally.lines, &visitor)
      case .incomplete: skip(.incomplete, line: tally.lines, &visitor)
      }
    }
  }

  private mutating func noteLongLine(_ visitor: inout some RecordVisitor) {
    tally.lines += 1
    tally.isBlank = false
    if tally.cutLine != nil { noteCutLine(&visitor) }
    skip(.tooLong, line: tally.lines, &visitor)
  }

  /// Reports an unfinished line as malformed. It isn't torn, because another line follows it.
  @inline(never)
  private mutating func noteCutLine(_ visitor: inout some RecordVisitor) {
    guard let cut = tally.cutLine else { return }
    tally.cutLine = nil
    skip(.malformed, line: cut, &visitor)
  }

  @inline(never)
  private mutating func skip(
    _ kind: Damage.Kind, line: Int, _ visitor: inout some RecordVisitor
  ) {
    visitor.skip(kind, line: line)
  }

  private func hasByteOrderMark(_ start: Int, _ end: Int) -> Bool {
    end - start >= 3 && buffer[start] == 0xEF && buffer[start + 1] == 0xBB
      && buffer[start + 2] == 0xBF
  }

  @inline(__always)
  private func isPadding(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0D, 0x00: true
    default: false
    }
  }

  /// Returns a buffer that is followed by some more readable bytes.
  private static func makeBuffer(_ size: Int) -> UnsafeMutableRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: size + ElementScanner.lookahead, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    return UnsafeMutableRawBufferPointer(start: memory.baseAddress, count: size)
  }

  private mutating func grow() -> Bool {
    guard buffer.count < Self.maxLineLength else { return false }
    let larger = Self.makeBuffer(min(buffer.count * 2, Self.maxLineLength))
    larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
    buffer.deallocate()
    buffer = larger
    return true
  }
}
