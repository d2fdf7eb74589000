internal import Dispatch

/// Reads files on all processors: each stretch has a visitor of its own, and those are put together in the order of the
/// stretches.
package struct ParallelReading: Sendable {
  private let files: [LogSource]
  private let workers: Int
  private let stretchSize: Int

  /// What the bytes of a stretch are worth: below it, waking another thread costs more.
  private static let smallestStretch = 4 << 20

  /// Only tests choose the number of threads and the size of a stretch, in bytes.
  package init(_ files: [LogSource], workers: Int? = nil, stretch: Int? = nil) {
    self.files = files
    let workers = workers ?? Processors.count
    self.workers = workers
    let total = files.reduce(0) { $0 + $1.size }
    // Several for each thread, because the machine does other things too; one for all where there is one thread.
    stretchSize =
      stretch ?? (workers == 1 ? .max : max(Self.smallestStretch, total / (workers * 4)))
  }

  private struct Stretch {
    let file: Int
    let range: Range<Int>
  }

  /// - Parameters:
  ///   - empty: what nothing was put into yet.
  ///   - progress: called from any thread with the bytes that were read since it was called last.
  /// - Returns: the visitor of all files together, and what was met in each file.
  package func read<Visitor: MergingVisitor>(
    _ empty: Visitor, progress: (@Sendable (Int) -> Void)? = nil
  ) throws(LogError) -> (visitor: Visitor, tallies: [ReadingTally]) {
    let stretches = self.stretches
    let joining = StretchJoining(empty, stretches: stretches.count, files: files.count)
    let work: @Sendable (Int) -> Void = { _ in
      var reader = LogReader()
      while let number = joining.take() {
        let stretch = stretches[number]
        var visitor = empty
        do throws(LogError) {
          let tally = try reader.read(
            files[stretch.file], stretch.range, index: stretch.file, visitor: &visitor,
            progress: progress)
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

  private var stretches: [Stretch] {
    files.indices.flatMap { file in
      var stretches: [Stretch] = []
      var start = 0
      repeat {
        let end = files[file].size - start > stretchSize ? start + stretchSize : files[file].size
        stretches.append(Stretch(file: file, range: start..<end))
        start = end
      } while start < files[file].size
      return stretches
    }
  }
}
