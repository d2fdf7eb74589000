import TraceFormat

/// A reader that follows a log while it is written, and the files in which it continues.
///
/// Threads fill the space they reserve in any order, so the reader checks blank space again. It
/// waits for lines that are not finished.
final class LogFollower {
  let path: String
  private let firstBatch: Int
  /// The files of the log that is followed now; the last one is being written.
  var files: [LogSource] = []
  var tallies: [ReadingTally] = []
  var whole = FollowedAccumulator()
  /// The file at `path`, and how it began.
  var origin: (source: LogSource, opening: [UInt8])?
  /// The offset after the last byte of the last file that is known not to be blank.
  var reach = 0
  var batch: Int
  /// The index of the next gap to check among those that no thread fills any more.
  var rotation = 0
  /// The range after the last record, and the number of times it was seen unchanged.
  var tail = (start: 0, end: 0, looks: 0)
  private var restarts = 0
  private var isTold = false

  /// The distance from the last record within which threads may still write, in bytes.
  static let window = 4 << 20

  init(_ path: String, firstBatch: Int) {
    self.path = path
    self.firstBatch = firstBatch
    batch = firstBatch
  }

  /// Reads new content, and returns a snapshot; nil if nothing is new or the file does not exist
  /// yet.
  func advance() throws(LogError) -> LogSnapshot? {
    guard try open() else { return nil }
    var isNews = !isTold
    if wasRewritten, let origin {
      restart(with: origin.source)
      isNews = true
    }
    let isAll = try readOn(&isNews)
    // Everything that precedes the last line was written before it, so a check of all gaps finds
    // it.
    if try lookAtGaps(all: isAll && whole.hasEnding) { isNews = true }
    if isAll {
      if whole.hasEnding {
        whole.tellEnding()
        isNews = true
      }
      if try moveOn() { isNews = true }
    }
    isTold = true
    return isNews ? snapshot : nil
  }

  private func open() throws(LogError) -> Bool {
    guard files.isEmpty else { return true }
    guard LogSource.exists(path) else { return false }
    // Opening a pipe would wait for a process that writes to it.
    if LogSource.isPipe(path) { throw .cannotFollow(path) }
    begin(with: try LogSource(path: path))
    return true
  }

  /// Returns the file at a path; nil if there is none or it is not a regular file.
  static func file(at path: String) -> LogSource? {
    LogSource.isFile(path) ? try? LogSource(path: path) : nil
  }

  func begin(with source: LogSource) {
    origin = (source, [])
    files = [source]
    tallies = [ReadingTally()]
    whole = FollowedAccumulator()
    whole.begin(file: 0)
    reach = 0
    batch = firstBatch
    rotation = 0
    tail = (0, 0, 0)
  }

  func restart(with source: LogSource) {
    restarts += 1
    begin(with: source)
  }

  /// Continues in another file of the same log.
  func goOn(in source: LogSource) {
    files.append(source)
    tallies.append(ReadingTally())
    whole.begin(file: files.count - 1)
    reach = 0
    tail = (0, 0, 0)
  }

  private var snapshot: LogSnapshot {
    let before = files.dropLast().reduce(0) { $0 + $1.size }
    return LogSnapshot(
      whole.indexed, tallies, files, bytesRead: before + min(whole.gaps.end, reach),
      bytesTotal: before + reach, isComplete: nil, restarts: restarts)
  }
}
