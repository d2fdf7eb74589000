import Dispatch
import TraceFormat

/// Reads files on all processors: each stretch has a visitor of its own, and those are put together in the order of the
/// stretches.
package struct ParallelReading: Sendable {
  private let files: [LogSource]
  private let workers: Int
  private let stretches: [FileRange]

  /// What the bytes of a stretch are worth: below it, waking another thread costs more.
  private static let smallestStretch = 4 << 20

  /// Only tests choose the number of threads and the size of a stretch, in bytes.
  package init(_ files: [LogSource], workers: Int? = nil, stretch: Int? = nil) {
    self.files = files
    let workers = workers ?? Processors.count
    self.workers = workers
    let total = files.reduce(0) { $0 + $1.size }
    // Several for each thread, because the machine does other things too; one for all where there is one thread.
    let size = stretch ?? (workers == 1 ? .max : max(Self.smallestStretch, total / (workers * 4)))
    stretches = Self.stretches(
      files.indices.map { FileRange(file: $0, range: 0..<files[$0].size) }, size)
  }

  /// Reads only parts of the files, which follow each other in the order of the files.
  init(_ files: [LogSource], parts: [FileRange], workers: Int? = nil) {
    self.files = files
    self.workers = workers ?? Processors.count
    let total = parts.reduce(0) { $0 + $1.range.count }
    let size = total / (self.workers * 4)
    stretches = Self.stretches(
      parts, min(max(size, Self.smallestStretch / 4), Self.smallestStretch * 4))
  }

  /// A part of a file.
  struct FileRange {
    let file: Int
    let range: Range<Int>
  }

  /// - Parameters:
  ///   - empty: what nothing was put into yet.
  ///   - isWanted: asked from any thread before each stretch; once it says no, what is left is not read.
  ///   - progress: called from any thread with the bytes that were read since it was called last.
  /// - Returns: the visitor of all files together, and what was met in each file.
  package func read<Visitor: MergingVisitor>(
    _ empty: Visitor, progress: (@Sendable (Int) -> Void)? = nil,
    isWanted: @escaping @Sendable () -> Bool = { true }
  ) throws(LogError) -> (visitor: Visitor, tallies: [ReadingTally]) {
    let tallies = Array(repeating: ReadingTally(), count: files.count)
    return try read(empty, addingTo: empty, tallies, progress: progress, isWanted: isWanted)
  }

  /// The same where something was read before, which is added to.
  func read<Visitor: MergingVisitor>(
    _ empty: Visitor, addingTo whole: consuming Visitor, _ tallies: [ReadingTally],
    progress: (@Sendable (Int) -> Void)? = nil,
    isWanted: @escaping @Sendable () -> Bool = { true }
  ) throws(LogError) -> (visitor: Visitor, tallies: [ReadingTally]) {
    let stretches = self.stretches
    let joining = RangeJoining(whole, tallies, stretches: stretches.count)
    let work: @Sendable (Int) -> Void = { _ in
      var reader = LogReader()
      while isWanted(), let number = joining.take() {
        let stretch = stretches[number]
        var visitor = empty
        do throws(LogError) {
          let tally = try reader.read(
            files[stretch.file], stretch.range, index: stretch.file, visitor: &visitor,
            progress: progress)
          visitor.finish()
          joining.give(.init(file: stretch.file, visitor: visitor, tally: tally), number)
        } catch {
          joining.fail(error)
        }
      }
    }
    let threads = min(workers, stretches.count)
    if threads > 1 {
      DispatchQueue.concurrentPerform(iterations: threads, execute: work)
    } else {
      work(0)
    }
    return try joining.finish() ?? (empty, [])
  }

  private static func stretches(_ parts: [FileRange], _ size: Int) -> [FileRange] {
    parts.flatMap { part in
      var stretches: [FileRange] = []
      var start = part.range.lowerBound
      let limit = part.range.upperBound
      repeat {
        let end = limit - start > size ? start + size : limit
        stretches.append(FileRange(file: part.file, range: start..<end))
        start = end
      } while start < limit
      return stretches
    }
  }
}
