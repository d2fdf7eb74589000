import TraceFormat

/// A builder that notes the locations and times of records while a log is read, in chunks of about
/// 32 KB.
struct ChunkIndexBuilder: Sendable {
  private var finished: [LogChunk] = []
  /// The last chunk, to which most records are added. In an array, each addition would check
  /// whether the array is shared.
  private var current: LogChunk?

  /// All chunks, in the order of the files.
  var chunks: [LogChunk] { finished + (current.map { [$0] } ?? []) }

  @inline(__always)
  mutating func note(
    _ time: Nanoseconds, _ location: TraceRecord.Location, beginsLog: Bool = false
  ) {
    if !beginsLog, current?.accepts(location) == true {
      current?.add(time, location)
    } else {
      noteSlowPath(time, location)
    }
  }

  @inline(never)
  private mutating func noteSlowPath(_ time: Nanoseconds, _ location: TraceRecord.Location) {
    guard let last = current else {
      current = LogChunk(time, location, offset: 0, line: 1)
      return
    }
    if last.file == location.file, location.offset >= last.end {
      finished.append(last)
      current = LogChunk(time, location, offset: last.end, line: last.lastLine + 1)
    } else if last.spans(location) {
      // Blank space that was filled later lies inside the range of a chunk.
      current?.add(time, location)
    } else if let known = finished.lastIndex(where: { $0.spans(location) }) {
      finished[known].add(time, location)
    } else {
      finished.append(last)
      current = LogChunk(time, location, offset: 0, line: 1)
    }
  }

  /// Adds the chunks of the following part.
  ///
  /// - Parameter lines: The number of lines of the file before that part.
  mutating func append(_ next: ChunkIndexBuilder, lines: Int) {
    for (index, var chunk) in next.chunks.enumerated() {
      chunk.move(byLines: lines)
      if index == 0 {
        // The space between the two chunks belongs to the second one.
        if let current, current.file == chunk.file {
          chunk.begin(at: current.end, line: current.lastLine + 1)
        } else {
          chunk.begin(at: 0, line: 1)
        }
      }
      if let current { finished.append(current) }
      current = chunk
    }
  }

  /// Adds `lines`, which is usually negative, to the line numbers of the chunks after `offset` in a
  /// file.
  mutating func moveLines(of file: Int, after offset: Int, by lines: Int) {
    if current?.file == file { current?.move(byLines: lines, after: offset) }
    for index in finished.indices.reversed() where finished[index].file <= file {
      guard finished[index].file == file, finished[index].end > offset else { return }
      finished[index].move(byLines: lines, after: offset)
    }
  }
}
