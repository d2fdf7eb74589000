import Dispatch
import TraceFormat

/// A reader of files on all processors. Each part has its own visitor, and the visitors are merged
/// in the order of the parts.
package struct ParallelReading: Sendable {
  private let files: [LogSource]
  private let workers: Int
  private let ranges: [FileRange]
  /// The maximum number of ranges that are read as one part.
  private let group: Int

  /// The size of the smallest part, in bytes. Below it, waking another thread costs more.
  private static let smallestRange = 4 << 20
  /// The maximum size of a range, in bytes. Parts consist of several ranges until there are many
  /// subscriptions. With smaller parts from the beginning, a log of 100,000 subscriptions that all
  /// have elements until the end would take 1.15 times the processor time, because each part has
  /// all of them.
  private static let largestRange = 16 << 20

  /// Creates a reader of whole files. Only tests choose the number of threads and the size of a
  /// part, in bytes.
  package init(_ files: [LogSource], workers: Int? = nil, rangeSize: Int? = nil) {
    self.files = files
    let workers = workers ?? Processors.count
    self.workers = workers
    let total = files.reduce(0) { $0 + $1.size }
    // Each thread gets several parts, because the machine does other things too. A single thread
    // reads undivided files.
    let part = rangeSize ?? (workers == 1 ? .max : max(Self.smallestRange, total / (workers * 4)))
    group = workers == 1 || rangeSize != nil ? 1 : (part - 1) / Self.largestRange + 1
    let size = (part - 1) / group + 1
    ranges = Self.ranges(
      files.indices.map { FileRange(file: $0, range: 0..<files[$0].size) }, size)
  }

  /// Creates a reader of parts of the files, which follow each other in the order of the files.
  init(_ files: [LogSource], parts: [FileRange], workers: Int? = nil) {
    self.files = files
    self.workers = workers ?? Processors.count
    let total = parts.reduce(0) { $0 + $1.range.count }
    let size = total / (self.workers * 4)
    group = 1
    ranges = Self.ranges(parts, min(max(size, Self.smallestRange / 4), Self.largestRange))
  }

  /// A part of a file.
  struct FileRange {
    let file: Int
    let range: Range<Int>
  }

  /// Reads the files.
  ///
  /// - Parameters:
  ///   - empty: A visitor that has not visited anything yet.
  ///   - isWanted: A function that any thread calls before each part. Once it returns false, the
  ///     rest is not read.
  ///   - progress: A function that any thread calls with the number of bytes that were read since
  ///     the last call.
  /// - Returns: The visitor of all files together, and a tally for each file.
  package func read<Visitor: MergingVisitor>(
    _ empty: Visitor, progress: (@Sendable (Int) -> Void)? = nil,
    isWanted: @escaping @Sendable () -> Bool = { true }
  ) throws(LogError) -> (visitor: Visitor, tallies: [ReadingTally]) {
    let tallies = Array(repeating: ReadingTally(), count: files.count)
    return try read(empty, addingTo: empty, tallies, progress: progress, isWanted: isWanted)
  }

  /// Reads the files, and adds the result to that of an earlier reading.
  func read<Visitor: MergingVisitor>(
    _ empty: Visitor, addingTo whole: consuming Visitor, _ tallies: [ReadingTally],
    progress: (@Sendable (Int) -> Void)? = nil,
    isWanted: @escaping @Sendable () -> Bool = { true }
  ) throws(LogError) -> (visitor: Visitor, tallies: [ReadingTally]) {
    let ranges = self.ranges
    let threads = min(workers, ranges.count)
    let joining = RangeJoining(
      whole, tallies, ranges: ranges, group: group, slots: max(1, threads) + 1)
    let work: @Sendable (Int) -> Void = { _ in
      var reader = LogReader()
      while isWanted(), let part = joining.take() {
        var visitor = empty
        do throws(LogError) {
          let tally = try reader.read(
            files[part.file], part.range, index: part.file, visitor: &visitor,
            progress: progress)
          visitor.finish()
          joining.give(.init(file: part.file, visitor: visitor, tally: tally), part)
        } catch {
          joining.fail(error)
        }
      }
    }
    if ranges.count > 1 { SparePages.begin() }
    defer { if ranges.count > 1 { SparePages.end() } }
    if threads > 1 {
      DispatchQueue.concurrentPerform(iterations: threads, execute: work)
    } else {
      work(0)
    }
    return try joining.finish() ?? (empty, [])
  }

  private static func ranges(_ parts: [FileRange], _ size: Int) -> [FileRange] {
    parts.flatMap { part in
      var ranges: [FileRange] = []
      var start = part.range.lowerBound
      let limit = part.range.upperBound
      repeat {
        let end = limit - start > size ? start + size : limit
        ranges.append(FileRange(file: part.file, range: start..<end))
        start = end
      } while start < limit
      return ranges
    }
  }
}
