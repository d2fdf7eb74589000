import TraceFormat

/// Notes where the records of a log stand and when they were written, some 32 KB after the other, while it is read.
struct ChunkIndexBuilder: Sendable {
  private var finished: [LogChunk] = []
  /// The last one, which most records are added to: in an array each of them would ask who else holds it.
  private var current: LogChunk?

  /// In the order of the files.
  var chunks: [LogChunk] { finished + (current.map { [$0] } ?? []) }

  @inline(__always)
  mutating func note(
    _ time: Nanoseconds, _ place: TraceRecord.Place, beginsLog: Bool = false
  ) {
    if !beginsLog, current?.accepts(place) == true {
      current?.add(time, place)
    } else {
      noteSlowPath(time, place)
    }
  }

  @inline(never)
  private mutating func noteSlowPath(_ time: Nanoseconds, _ place: TraceRecord.Place) {
    guard let last = current else {
      current = LogChunk(time, place, offset: 0, line: 1)
      return
    }
    if last.file == place.file, place.offset >= last.end {
      finished.append(last)
      current = LogChunk(time, place, offset: last.end, line: last.lastLine + 1)
    } else if last.spans(place) {
      // Blank space that was filled later lies within what a chunk spans.
      current?.add(time, place)
    } else if let known = finished.lastIndex(where: { $0.spans(place) }) {
      finished[known].add(time, place)
    } else {
      finished.append(last)
      current = LogChunk(time, place, offset: 0, line: 1)
    }
  }

  /// Adds what stands behind.
  ///
  /// - Parameter lines: how many lines of the file come before it.
  mutating func append(_ next: ChunkIndexBuilder, lines: Int) {
    for (index, var chunk) in next.chunks.enumerated() {
      chunk.move(byLines: lines)
      if index == 0 {
        // What stands between the two belongs to the second.
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

  /// The chunks behind a place begin with other lines than it was thought.
  mutating func moveLines(of file: Int, behind offset: Int, by lines: Int) {
    if current?.file == file { current?.move(byLines: lines, behind: offset) }
    for index in finished.indices.reversed() where finished[index].file <= file {
      guard finished[index].file == file, finished[index].end > offset else { return }
      finished[index].move(byLines: lines, behind: offset)
    }
  }
}
