import AnalysisShims
import TraceFormat

/// Reads logs batch by batch, so that something can be shown long before everything is read.
///
/// Not for several threads at a time; each batch is read on all processors.
package final class GrowingLog {
  private let paths: [String]
  private let follower: LogFollower?
  private var files: [LogSource]?
  private var parts = IndexedAccumulator()
  private var tallies: [ReadingTally] = []
  private var batch: Int
  /// What comes next: a file, and where in it.
  private var file = 0
  private var offset = 0
  private var isComplete = false

  private static let growth = 8
  /// More than this takes so long that there should be something new to show.
  static let largestBatch = 1 << 30

  /// - Parameters:
  ///   - paths: files, of which "-" is standard input.
  ///   - follows: whether to wait for what is written from now on, in one file.
  package convenience init(paths: [String], follows: Bool) {
    self.init(paths: paths, follows: follows, firstBatch: 4 << 20)
  }

  /// Only tests choose another size of the first batch.
  init(paths: [String], follows: Bool, firstBatch: Int) {
    self.paths = paths
    // What comes out of a pipe is read to its end before anything is known of it.
    follower =
      follows && paths.count == 1 && paths[0] != "-"
      ? LogFollower(paths[0], firstBatch: firstBatch) : nil
    batch = firstBatch
  }

  /// Of files that are open already.
  init(_ files: [LogSource], firstBatch: Int) {
    paths = []
    follower = nil
    self.files = files
    tallies = Array(repeating: ReadingTally(), count: files.count)
    batch = firstBatch
  }

  /// Whether the file that is followed has lost its name: nobody who looks for it finds it, whoever still writes into it.
  package var isGone: Bool { follower?.isGone ?? false }

  /// Reads the next batch and says what is known now; nil where that is no more than before.
  package func advance() throws(LogError) -> LogSnapshot? {
    if let follower { return try follower.advance() }
    guard !isComplete else { return nil }
    let files = try openFiles()
    let stretches = nextStretches(files)
    if !stretches.isEmpty {
      var whole = IndexedAccumulator()
      swap(&whole, &parts)
      (parts, tallies) = try ParallelReading(files, parts: stretches)
        .read(IndexedAccumulator(), addingTo: whole, tallies)
    }
    isComplete = file == files.count
    batch = min(batch * Self.growth, Self.largestBatch)
    let snapshot = LogSnapshot(
      parts, tallies, files, bytesRead: tallies.reduce(0) { $0 + $1.bytes },
      bytesTotal: files.reduce(0) { $0 + $1.size }, isComplete: isComplete)
    if isComplete {
      parts = IndexedAccumulator()
      // What threads needed on the way is not needed any more.
      analysis_trim_memory()
    }
    return snapshot
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

  /// The stretches of the next batch, all of the files in order.
  private func nextStretches(_ files: [LogSource]) -> [ParallelReading.FileRange] {
    var stretches: [ParallelReading.FileRange] = []
    let rest = files[file...].reduce(0) { $0 + $1.size } - offset
    // A batch of little is not worth a snapshot of its own.
    var room = rest <= batch + batch / 2 ? max(rest, batch) : batch
    while file < files.count, room > 0 || files[file].size == 0 {
      let end = files[file].size - offset > room ? offset + room : files[file].size
      stretches.append(.init(file: file, range: offset..<end))
      room -= end - offset
      offset = end
      if end == files[file].size {
        file += 1
        offset = 0
      }
    }
    return stretches
  }
}
