import TraceFormat

/// A tracker that finds the gaps between records.
struct GapTracker: Sendable {
  var gaps: [LogGap] = []
  private var first: (start: Int, line: Int)?
  private var file = 0
  /// The offset at which the last record ends; `line` is the number of its line.
  private(set) var end = 0
  private(set) var line = 0
  /// A Boolean value that indicates whether tracking began at the beginning of a file. The space
  /// before the first record is then a gap too.
  private var isWhole = false

  init() {}

  /// Creates a tracker that starts at the beginning of a file.
  private init(file: Int, gaps: [LogGap]) {
    self.file = file
    self.gaps = gaps
    isWhole = true
  }

  mutating func begin(file: Int) {
    self = GapTracker(file: file, gaps: gaps)
  }

  /// The offset at which reading continues: after the newline of the last record.
  var next: Int { end == 0 ? 0 : end + 1 }

  @inline(__always)
  mutating func note(_ location: TraceRecord.Location) {
    if location.offset - end >= LogGap.smallest || first == nil {
      noteGap(before: location.offset, line: location.line, file: location.file)
    }
    end = location.offset + location.length
    line = location.line
  }

  @inline(never)
  private mutating func noteGap(before start: Int, line next: Int, file: Int) {
    if first == nil {
      first = (start, next)
      self.file = file
      guard isWhole else { return }
    }
    guard start - self.next >= LogGap.smallest else { return }
    gaps.append(
      LogGap(
        file: file, range: self.next..<start, line: line + 1, newlines: max(0, next - line - 1)))
  }

  mutating func append(_ other: GapTracker, lines: Int) {
    guard let start = other.first else { return }
    noteGap(before: start.start, line: start.line + lines, file: other.file)
    for var gap in other.gaps {
      gap.line += lines
      gaps.append(gap)
    }
    end = other.end
    line = other.line + lines
  }

  /// Adds everything up to `end` as a gap that was checked often enough, although no record follows
  /// it.
  mutating func close(at end: Int, lines: Int) {
    guard end > next else { return }
    gaps.append(
      LogGap(
        file: file, range: next..<end, line: line + 1, newlines: lines,
        checks: LogGap.checksUntilFinal)
    )
    self.end = end - 1
    line += lines
  }

  /// Adds `lines`, which is usually negative, to the line number if the last record ends at
  /// `offset` or later.
  mutating func moveLines(of file: Int, after offset: Int, by lines: Int) {
    guard file == self.file, end >= offset else { return }
    line += lines
  }
}

/// A range of a file that does not contain a record yet: blank space that a thread reserved to fill
/// it later, or unfinished lines.
struct LogGap: Sendable {
  let file: Int
  var range: Range<Int>
  /// The number of the line that begins the gap.
  var line: Int
  /// The number of newlines in the gap.
  var newlines: Int
  /// The number of checks since anything in the gap changed.
  var checks = 0
  /// The number of bytes in the gap that are not blank.
  var bytes = 0

  /// The number of checks without a change after which a line is final.
  static let checksUntilFinal = 50
  /// The length of the smallest gap, in bytes. No line with an object is shorter.
  static let smallest = 8
}
