package import TraceFormat

/// A stretch of a file that is small enough to be read whenever something in it is asked for.
package struct LogChunk: Sendable {
  /// Beyond so many bytes another one begins.
  private static let size = 32 << 10

  package let file: Int
  /// Where the record before ends, or 0: so its first line begins behind the first line end from here on.
  package private(set) var offset: Int
  /// Behind its last record.
  package private(set) var end: Int
  /// The number of the line that begins first in it.
  package private(set) var line: Int
  private(set) var lastLine: Int
  /// The times of its records, as its log counts them.
  package private(set) var earliest: Nanoseconds
  package private(set) var latest: Nanoseconds

  init(_ time: Nanoseconds, _ place: TraceRecord.Place, offset: Int, line: Int) {
    file = place.file
    self.offset = offset
    end = place.offset + place.length
    self.line = line
    lastLine = place.line
    earliest = time
    latest = time
  }

  package var length: Int { end - offset }

  /// Whether a record that comes behind all others is to be added.
  @inline(__always)
  func accepts(_ place: TraceRecord.Place) -> Bool {
    place.offset >= end && place.offset < offset + Self.size && place.file == file
  }

  func spans(_ place: TraceRecord.Place) -> Bool {
    place.file == file && place.offset >= offset && place.offset < end
  }

  @inline(__always)
  mutating func add(_ time: Nanoseconds, _ place: TraceRecord.Place) {
    earliest = min(earliest, time)
    latest = max(latest, time)
    if place.offset >= end {
      end = place.offset + place.length
      lastLine = place.line
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

  /// The same for the lines behind a place.
  mutating func move(byLines lines: Int, behind offset: Int) {
    if self.offset >= offset { line += lines }
    if end > offset { lastLine += lines }
  }
}
