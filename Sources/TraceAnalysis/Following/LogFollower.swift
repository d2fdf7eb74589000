import TraceFormat

/// Reads a log while it is written, and the files in which it goes on.
///
/// What the recorder leaves blank is looked at again, because threads fill the space that they took in any order. A line that
/// is not finished is waited for.
final class LogFollower {
  let path: String
  private let firstBatch: Int
  /// Of the log that is followed now; the last one is being written.
  var files: [LogSource] = []
  var tallies: [ReadingTally] = []
  var whole = FollowedAccumulator()
  /// The file that stands at `path`, and how it began.
  var origin: (source: LogSource, opening: [UInt8])?
  /// Behind the last byte of the last file that is known not to be blank.
  var reach = 0
  var batch: Int
  /// Which of the gaps is to be looked at next, of those that nobody fills any more.
  var rotation = 0
  /// What stands behind the last record, and how often it was seen so.
  var tail = (start: 0, end: 0, looks: 0)
  private var restarts = 0
  private var isTold = false

  /// How far from the last record threads may still write.
  static let window = 4 << 20

  init(_ path: String, firstBatch: Int) {
    self.path = path
    self.firstBatch = firstBatch
    batch = firstBatch
  }

  /// Reads what is new; nil where nothing is, or there is no such file yet.
  func advance() throws(LogError) -> LogSnapshot? {
    guard try open() else { return nil }
    var isNews = !isTold
    if wasRewritten, let origin {
      restart(with: origin.source)
      isNews = true
    }
    let isAll = try readOn(&isNews)
    // What stands before the last line was there before it: a look at all gaps finds it.
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
    // Opening a pipe would wait for somebody who writes to it.
    if LogSource.isPipe(path) { throw .cannotFollow(path) }
    begin(with: try LogSource(path: path))
    return true
  }

  /// The log that goes on at a path, where a file is there and is one.
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

  /// Goes on in another file of the same log.
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
