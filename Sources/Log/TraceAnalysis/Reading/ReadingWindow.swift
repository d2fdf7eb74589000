/// The part of a file that is in the buffer, and what the reader does with it.
///
///     skippingLine  -- the end of the line -->              readingLines
///     readingLines  -- a line that is too long -->          skippingLine
///     either        -- a line begins at the limit -->       finished
struct ReadingWindow {
  enum Phase {
    /// The window begins in the middle of a line that isn't read. A range that doesn't begin at
    /// the start of its file also begins like this.
    case skippingLine
    /// The window begins with a line.
    case readingLines
    case finished
  }

  private(set) var phase: Phase
  /// The offset at which to stop. Lines that begin here or later aren't read.
  let limit: Int
  /// The offset of the window's end in the file.
  private(set) var end: Int
  /// The number of bytes in the window.
  private(set) var count = 0
  /// The offset up to which progress was reported.
  private var reported: Int

  init(_ range: Range<Int>) {
    let beginsInLine = range.lowerBound > 0
    phase = range.isEmpty ? .finished : beginsInLine ? .skippingLine : .readingLines
    limit = range.upperBound
    // A line begins after the end of the previous one, which may be the last byte before the
    // range.
    end = beginsInLine ? range.lowerBound - 1 : 0
    reported = range.lowerBound
  }

  /// The offset of the window's start in the file.
  var start: Int { end - count }

  mutating func append(_ count: Int) {
    end += count
    self.count += count
  }

  /// Removes bytes at the start, which were read or skipped.
  mutating func removeFirst(_ count: Int) {
    self.count -= count
  }

  /// Notes that a line begins at an index in the window.
  mutating func beginLine(at index: Int) {
    phase = start + index >= limit ? .finished : .readingLines
  }

  /// Skips the whole window, and what follows until a line ends.
  mutating func skip() {
    count = 0
    phase = end >= limit ? .finished : .skippingLine
  }

  /// Returns the number of bytes of the range that were read since the last call.
  mutating func takeProgress() -> Int {
    let reached = min(max(end, reported), limit)
    defer { reported = reached }
    return reached - reported
  }

  /// Returns the number of bytes of the range that haven't been reported.
  var unreported: Int { limit - reported }
}
