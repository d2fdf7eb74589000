import TraceFormat

/// A range of a file that is small enough to read whenever something in it is needed.
struct LogChunk: Sendable {
  /// The number of bytes after which another chunk begins.
  private static let size = 32 << 10

  let file: Int
  /// The end of the previous record, or 0. The first line of the chunk begins after the next
  /// newline.
  private(set) var offset: Int
  /// The end of the last record.
  private(set) var end: Int
  /// The number of the first line that begins in the chunk.
  private(set) var line: Int
  private(set) var lastLine: Int
  /// The earliest time of the records, in the log's own time; `latest` is the latest one.
  private(set) var earliest: Nanoseconds
  private(set) var latest: Nanoseconds

  init(_ time: Nanoseconds, _ location: TraceRecord.Location, offset: Int, line: Int) {
    file = location.file
    self.offset = offset
    end = location.offset + location.length
    self.line = line
    lastLine = location.line
    earliest = time
    latest = time
  }

  var length: Int { end - offset }

  /// Reports whether a record that comes after all others belongs to this chunk.
  @inline(__always)
  func accepts(_ location: TraceRecord.Location) -> Bool {
    location.offset >= end && location.offset < offset + Self.size && location.file == file
  }

  func spans(_ location: TraceRecord.Location) -> Bool {
    location.file == file && location.offset >= offset && location.offset < end
  }

  @inline(__always)
  mutating func add(_ time: Nanoseconds, _ location: TraceRecord.Location) {
    earliest = min(earliest, time)
    latest = max(latest, time)
    if location.offset >= end {
      end = location.offset + location.length
      lastLine = location.line
    }
  }

  mutating func begin(at offset: Int, line: Int) {
    self.offset = offset
    self.line = line
  }

  mutating func move(byLines lines: Int) {
    line += lines
    lastLine += lines
  }

  /// Adds `lines` to the line numbers after `offset`.
  mutating func move(byLines lines: Int, after offset: Int) {
    if self.offset >= offset { line += lines }
    if end > offset { lastLine += lines }
  }
}
