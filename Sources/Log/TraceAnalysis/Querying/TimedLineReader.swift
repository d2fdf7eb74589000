import SystemLibrary
import TraceFormat

/// A reader that parses only the lines of a chunk that have one of the wanted times. It skips all
/// other lines, for a search that wants one event in each of many chunks.
struct TimedLineReader: ~Copyable {
  private let times: [UInt64]
  /// The times that may be in the chunk that is read.
  private var here: ArraySlice<UInt64> = []
  private var parser = RecordParser()
  private var buffer: UnsafeMutableRawBufferPointer

  /// Creates a reader.
  ///
  /// - Parameter times: The wanted times, ascending.
  init(_ times: [UInt64]) {
    self.times = times
    buffer = .allocate(byteCount: 1 << 16, alignment: 64)
  }

  deinit {
    buffer.deallocate()
  }

  mutating func read(
    _ chunk: LogChunk, of source: LogSource, _ collector: inout EventCollector
  ) throws(LogError) {
    let first = times.partitionPoint { $0 >= chunk.earliest.count }
    let last = times[first...].partitionPoint { $0 > chunk.latest.count }
    here = times[first..<last]
    if buffer.count < chunk.length {
      buffer.deallocate()
      buffer = .allocate(byteCount: chunk.length, alignment: 64)
    }
    let count = try source.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<chunk.length]), from: chunk.offset)
    guard let base = buffer.baseAddress else { return }
    let bytes = UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
    var start = 0
    if chunk.offset > 0 {
      // The first line of the chunk begins after the newline of the previous record.
      guard let end = Self.lineEnd(bytes, 0, count) else { return }
      start = end + 1
    }
    var line = chunk.line
    collector.lines = 0
    while start < count {
      let end = Self.lineEnd(bytes, start, count) ?? count
      visit(bytes, start, end, line, chunk, &collector)
      line += 1
      start = end + 1
    }
  }

  private static func lineEnd(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ count: Int) -> Int? {
    guard let found = memchr(bytes + start, 0x0A, count - start) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
  }

  @inline(__always)
  private mutating func visit(
    _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ line: Int, _ chunk: LogChunk,
    _ collector: inout EventCollector
  ) {
    var cursor = JSONCursor(position: bytes + start, end: bytes + end)
    if cursor.take("{\"t\":"), let time = cursor.takeInteger(), !isWanted(time) { return }
    visitSlowPath(bytes, start, end, line, chunk, &collector)
  }

  @inline(__always)
  private func isWanted(_ time: UInt64) -> Bool {
    if here.count < 8 { return here.contains(time) }
    let index = here.partitionPoint { $0 >= time }
    return index < here.endIndex && here[index] == time
  }

  @inline(never)
  private mutating func visitSlowPath(
    _ bytes: UnsafePointer<UInt8>, _ first: Int, _ last: Int, _ line: Int, _ chunk: LogChunk,
    _ collector: inout EventCollector
  ) {
    var (start, end) = (first, last)
    if chunk.offset == 0, start == 0, end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB,
      bytes[2] == 0xBF
    {
      start = 3
    }
    while start < end, Self.isPadding(bytes[end - 1]) { end -= 1 }
    while start < end, Self.isPadding(bytes[start]) { start += 1 }
    guard start < end,
      let record = try? parser.parse(UnsafeBufferPointer(start: bytes + start, count: end - start))
    else { return }
    let location = TraceRecord.Location(
      file: chunk.file, line: line, offset: chunk.offset + start, length: end - start)
    if case .next(let moment) = record.body {
      collector.visitElement(moment, at: record.time, location)
    } else {
      collector.visit(record, at: location)
    }
  }

  private static func isPadding(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0D, 0x00: true
    default: false
    }
  }
}
