#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Splits a log into lines, makes records of them and hands those to a visitor.
///
/// It holds one buffer of a fixed size and no more, however long the log is.
package struct LogReader: ~Copyable {
  /// What a reading came across.
  package struct Tally: Equatable, Sendable {
    package var records = 0
    /// Records whose event this version knows.
    package var knownRecords = 0
    package var bytes = 0
    package var lines = 0
    package var damage = Damage()
  }

  /// Lines longer than this are skipped; no record comes near it.
  package static let longestLine = 64 << 20

  private var parser = RecordParser()
  private var buffer: UnsafeMutableRawBufferPointer
  private var tally = Tally()
  /// The last line, if it stopped in the middle: torn if nothing comes after it, else malformed.
  private var cutLine: Int?

  /// Only tests choose another size of buffer.
  package init(bufferSize: Int = 1 << 18) {
    buffer = Self.makeBuffer(max(bufferSize, 1))
  }

  deinit {
    buffer.deallocate()
  }

  /// Reads the log from its beginning, or its first `limit` bytes.
  package mutating func read(
    _ file: borrowing LogSource, upTo limit: Int = .max, visitor: inout some RecordVisitor
  ) throws(LogError) -> Tally {
    tally = Tally()
    cutLine = nil
    var skipsLongLine = false
    var filled = 0
    while true {
      let room = min(buffer.count - filled, limit - tally.bytes)
      let count = try file.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + max(0, room)]),
        from: tally.bytes)
      let offset = tally.bytes - filled
      tally.bytes += count
      if count == 0 {
        if skipsLongLine { noteLongLine() } else { last(filled, offset: offset, &visitor) }
        break
      }
      let searched = filled
      filled += count
      var consumed = lines(searched, filled, offset: offset, skipsFirst: &skipsLongLine, &visitor)
      if consumed == 0, filled == buffer.count, !grow() {
        skipsLongLine = true
        consumed = filled
      }
      filled -= consumed
      move(from: consumed, count: filled)
    }
    if let cutLine { tally.damage.note(.torn, line: cutLine) }
    return tally
  }

  /// Reads the whole lines in the buffer and returns how many bytes they were; no line ends before `searched`.
  private mutating func lines(
    _ searched: Int, _ filled: Int, offset: Int, skipsFirst: inout Bool,
    _ visitor: inout some RecordVisitor
  ) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    var start = 0
    var search = searched
    while search < filled, let found = memchr(base + search, 0x0A, filled - search) {
      let end = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if skipsFirst {
        skipsFirst = false
        noteLongLine()
      } else {
        line(start, end, offset: offset, &visitor)
      }
      start = end + 1
      search = start
    }
    // What has come of a line that is skipped is dropped at once.
    return skipsFirst ? filled : start
  }

  private mutating func last(
    _ filled: Int, offset: Int, _ visitor: inout some RecordVisitor
  ) {
    if filled > 0 { line(0, filled, offset: offset, &visitor) }
  }

  @inline(__always)
  private mutating func line(
    _ start: Int, _ end: Int, offset: Int, _ visitor: inout some RecordVisitor
  ) {
    tally.lines += 1
    guard let base = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    var start = start
    var end = end
    if tally.lines == 1, offset == 0, hasByteOrderMark(start, end) { start += 3 }
    // Space around a line, the CR of a CRLF, and NUL bytes that a file system left say nothing.
    while start < end, isPadding(base[end - 1]) { end -= 1 }
    while start < end, isPadding(base[start]) { start += 1 }
    guard start < end else { return }

    if let cut = cutLine {
      tally.damage.note(.malformed, line: cut)
      cutLine = nil
    }
    let place = TraceRecord.Place(line: tally.lines, offset: offset + start, length: end - start)
    // The buffer has room behind every line.
    if let element = ElementScanner.element(base + start, end - start) {
      tally.records += 1
      tally.knownRecords += 1
      return visitor.visitElement(element.moment, at: Nanoseconds(element.time), place)
    }
    do throws(LineFault) {
      let record = try parser.parse(UnsafeBufferPointer(start: base + start, count: end - start))
      tally.records += 1
      if case .unknown = record.body {} else { tally.knownRecords += 1 }
      visitor.visit(record, at: place)
    } catch {
      switch error {
      case .cut: cutLine = tally.lines
      case .malformed: tally.damage.note(.malformed, line: tally.lines)
      case .incomplete: tally.damage.note(.incomplete, line: tally.lines)
      }
    }
  }

  private mutating func noteLongLine() {
    tally.lines += 1
    tally.damage.note(.tooLong, line: tally.lines)
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

  /// Memory with some bytes behind it that may be read.
  private static func makeBuffer(_ size: Int) -> UnsafeMutableRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 16, alignment: 64)
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
