import SystemLibrary
import TraceFormat

/// A reader that splits a log into lines, parses them into records and passes the records to a
/// visitor.
///
/// It holds only one buffer, however long the log is. The buffer grows only for a line that does
/// not fit.
package struct LogReader: ~Copyable {
  /// The maximum length of a line, in bytes. Longer lines are skipped; no record comes near it.
  package static let longestLine = 64 << 20

  private var parser = RecordParser()
  private var buffer: UnsafeMutableRawBufferPointer
  /// The number of bytes to read at a time. The buffer is longer once there was a long line.
  private let step: Int
  private var tally = ReadingTally()
  private var fileIndex = 0
  /// The offset at which to stop. Lines that begin here or later are not read.
  private var limit = 0
  private var isDone = false
  private var upcoming = UpcomingEvents()

  /// Creates a reader.
  ///
  /// - Parameter bufferSize: The number of bytes that the buffer has at first.
  package init(bufferSize: Int = 1 << 18) {
    step = max(bufferSize, 1)
    buffer = Self.makeBuffer(step)
  }

  deinit {
    buffer.deallocate()
  }

  /// Reads the lines that begin in `range`, a range of bytes; nil reads all lines.
  ///
  /// Lines are counted from the beginning of the range. Readers of neighboring ranges see each line
  /// once.
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
    limit = range.upperBound
    // A line begins after the end of the one before, which may be the last byte before the range.
    var skipsFirst = range.lowerBound > 0
    var read = max(0, range.lowerBound - 1)
    var filled = 0
    isDone = range.isEmpty
    var told = range.lowerBound
    while !isDone {
      // A line that begins behind the range is none of it. A longer part of a long line is worth looking at again only
      // once it is twice as long.
      let wanted = skipsFirst ? limit - read : max(step, filled)
      let end = min(buffer.count, filled + wanted)
      let count = try file.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<end]), from: read)
      let offset = read - filled
      read += count
      let reached = min(max(read, told), limit)
      progress?(reached - told)
      told = reached
      if count == 0 {
        if !skipsFirst, filled > 0 { line(0, filled, offset: offset, &visitor) }
        break
      }
      let searched = filled
      filled += count
      var consumed = 0
      if skipsFirst {
        guard let found = newline(from: searched, to: filled) else {
          filled = 0
          if read >= limit { break }
          continue
        }
        skipsFirst = false
        consumed = found + 1
        isDone = offset + consumed >= limit
      }
      if !isDone {
        consumed = lines(
          from: consumed, searched: max(consumed, searched), filled, offset: offset, &visitor)
      }
      if consumed == 0, filled == buffer.count, !grow() {
        // The rest of the line is skipped, even if it continues after the range.
        noteLongLine(&visitor)
        skipsFirst = true
        consumed = filled
        isDone = read >= limit
      }
      filled -= consumed
      move(from: consumed, count: filled)
    }
    progress?(limit - told)
    tally.bytes = range.count
    return tally
  }

  private func newline(from start: Int, to end: Int) -> Int? {
    guard let base = buffer.baseAddress, start < end,
      let found = memchr(base + start, 0x0A, end - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Reads the whole lines in the buffer, and returns the number of their bytes. No line ends
  /// before `searched`.
  private mutating func lines(
    from first: Int, searched: Int, _ filled: Int, offset: Int,
    _ visitor: inout some RecordVisitor
  ) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    let bytes = UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
    let end = min(filled, limit - offset)
    var start = first
    var search = searched
    let isAhead = visitor.preparesEvents
    // Texts are in the buffer, so nothing may wait after this function returns.
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
    isDone = offset + start >= limit
    return start
  }

  /// Visits or collects the elements at the start of a range, and returns the start of the first
  /// line that is none. `collects` is a constant at each call, so each gets a loop of its own.
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

  /// Collects elements. This is not inlined, because one loop for both takes a sixteenth more time
  /// for logs that need no collecting.
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
    // Space around a line, the CR of a CRLF, and NUL bytes that a file system left have no meaning.
    while start < end, isPadding(base[end - 1]) { end -= 1 }
    while start < end, isPadding(base[start]) { start += 1 }
    guard start < end else { return }

    tally.isBlank = false
    if tally.cutLine != nil { noteCutLine(&visitor) }
    let location = TraceRecord.Location(
      file: fileIndex, line: tally.lines, offset: offset + start, length: end - start)
    do throws(LineFault) {
      let record = try parser.parse(UnsafeBufferPointer(start: base + start, count: end - start))
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

  /// Notes that a line that stopped in the middle is malformed. It is not torn if another line
  /// comes after it.
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

  /// Returns memory with some bytes after it that may be read.
  private static func makeBuffer(_ size: Int) -> UnsafeMutableRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: size + ElementScanner.lookahead, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    return UnsafeMutableRawBufferPointer(start: memory.baseAddress, count: size)
  }

  private mutating func grow() -> Bool {
    guard buffer.count < Self.longestLine else { return false }
    let larger = Self.makeBuffer(min(buffer.count * 2, Self.longestLine))
    larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
    buffer.deallocate()
    buffer = larger
    return true
  }

  private func move(from start: Int, count: Int) {
    guard start > 0, count > 0, let base = buffer.baseAddress else { return }
    memmove(base, base + start, count)
  }
}
