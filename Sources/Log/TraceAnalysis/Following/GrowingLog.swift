import TraceFormat

/// A reader that reads logs batch by batch, so that a view can show something long before
/// everything is read.
///
/// Only one thread may use it at a time. Each batch is read on all processors.
package final class GrowingLog {
  private let paths: [String]
  private let follower: LogFollower?
  private var files: [LogSource]?
  private var parts = IndexedAccumulator()
  private var tallies: [ReadingTally] = []
  private var batch: Int
  /// The position of the next batch: a file, and an offset in it.
  private var file = 0
  private var offset = 0
  private var isComplete = false

  private static let growth = 8
  /// The maximum size of a batch, in bytes. A larger batch would delay the next snapshot too long.
  static let largestBatch = 1 << 30

  /// Creates a reader of files.
  ///
  /// - Parameters:
  ///   - paths: The files; `-` is standard input.
  ///   - follows: True to also wait for content that is written from now on; only for a single
  ///     file.
  package convenience init(paths: [String], follows: Bool) {
    self.init(paths: paths, follows: follows, firstBatch: 4 << 20)
  }

  /// Creates a reader of files. Only tests choose another size of the first batch.
  init(paths: [String], follows: Bool, firstBatch: Int) {
    self.paths = paths
    // A pipe is read to its end before its content is examined.
    follower =
      follows && paths.count == 1 && paths[0] != "-"
      ? LogFollower(paths[0], firstBatch: firstBatch) : nil
    batch = firstBatch
  }

  /// Creates a reader of files that are already open.
  init(_ files: [LogSource], firstBatch: Int) {
    paths = []
    follower = nil
    self.files = files
    tallies = Array(repeating: ReadingTally(), count: files.count)
    batch = firstBatch
  }

  /// A Boolean value that indicates whether the followed file is no longer at its path. A process
  /// may still write to it.
  package var isGone: Bool { follower?.isGone ?? false }

  /// Reads the next batch and returns the current state of the logs; nil if nothing is new.
  package func advance() throws(LogError) -> LogSnapshot? {
    if let follower { return try follower.advance() }
    guard !isComplete else { return nil }
    let files = try openFiles()
    let ranges = nextRanges(files)
    if !ranges.isEmpty {
      var whole = IndexedAccumulator()
      swap(&whole, &parts)
      (parts, tallies) = try ParallelReading(files, parts: ranges)
        .read(IndexedAccumulator(), addingTo: whole, tallies)
    }
    isComplete = file == files.count
    batch = min(batch * Self.growth, Self.largestBatch)
    // The last snapshot takes over the content. A copy would double the memory.
    let read = parts
    if isComplete { parts = IndexedAccumulator() }
    return LogSnapshot(
      consume read, tallies, files, bytesRead: tallies.reduce(0) { $0 + $1.bytes },
      bytesTotal: files.reduce(0) { $0 + $1.size }, isComplete: isComplete)
  }

  private func openFiles() throws(LogError) -> [LogSource] {
    if let files { return files }
    var opened: [LogSource] = []
    var logs = LogFiles(count: paths.count)
    for path in paths { opened.append(try logs.open(path)) }
    files = opened
    tallies = Array(repeating: ReadingTally(), count: opened.count)
    return opened
  }

  /// Returns the file ranges of the next batch, in the order of the files.
  private func nextRanges(_ files: [LogSource]) -> [ParallelReading.FileRange] {
    var ranges: [ParallelReading.FileRange] = []
    let rest = files[file...].reduce(0) { $0 + $1.size } - offset
    // A small batch is not worth its own snapshot.
    var room = rest <= batch + batch / 2 ? max(rest, batch) : batch
    while file < files.count, room > 0 || files[file].size == 0 {
      let end = files[file].size - offset > room ? offset + room : files[file].size
      ranges.append(.init(file: file, range: offset..<end))
      room -= end - offset
      offset = end
      if end == files[file].size {
        file += 1
        offset = 0
      }
    }
    return ranges
  }
}
