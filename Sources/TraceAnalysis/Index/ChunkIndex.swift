import TraceFormat

/// Where in the files the events of any time stand.
package struct ChunkIndex: Sendable {
  /// The chunks that belong to one log and stand in one file.
  struct Run: Sendable {
    let log: Int
    /// When the time of the log was 0.
    let offset: UInt64
    let chunks: Range<Int>
  }

  /// In the order of the files.
  package let chunks: [LogChunk]
  let runs: [Run]
  /// The latest time up to a chunk of a run, and the earliest from it on: for logs nearly in order they say where to look.
  private let latestSoFar: [UInt64]
  private let earliestFromHere: [UInt64]

  init(_ builder: ChunkIndexBuilder, _ analysis: LogAnalysis) {
    chunks = builder.chunks
    var runs: [Run] = []
    var start = 0
    var section = SectionCursor()
    func log(of chunk: LogChunk) -> Int? {
      // Its last byte is one of its last record; its first may belong to the line end before.
      let place = TraceRecord.Place(
        file: chunk.file, line: chunk.lastLine, offset: max(0, chunk.end - 1), length: 0)
      return section.log(of: place, in: analysis)
    }
    while start < chunks.count {
      let number = log(of: chunks[start])
      var end = start + 1
      while end < chunks.count, chunks[end].file == chunks[start].file,
        log(of: chunks[end]) == number
      {
        end += 1
      }
      if let number {
        runs.append(Run(log: number, offset: analysis.logs[number].offset, chunks: start..<end))
      }
      start = end
    }
    var latestSoFar = chunks.map(\.latest.count)
    var earliestFromHere = chunks.map(\.earliest.count)
    for run in runs {
      for place in run.chunks.dropFirst() {
        latestSoFar[place] = max(latestSoFar[place], latestSoFar[place - 1])
      }
      for place in run.chunks.dropLast().reversed() {
        earliestFromHere[place] = min(earliestFromHere[place], earliestFromHere[place + 1])
      }
    }
    self.runs = runs
    self.latestSoFar = latestSoFar
    self.earliestFromHere = earliestFromHere
  }

  /// The chunks of a run that may hold something of a time in a stretch, in which the time is the log's own.
  func candidates(_ run: Run, _ times: ClosedRange<UInt64>) -> Range<Int> {
    let first = ElementPiece.partition(run.chunks) { latestSoFar[$0] >= times.lowerBound }
    let end = ElementPiece.partition(first..<run.chunks.upperBound) {
      earliestFromHere[$0] > times.upperBound
    }
    return first..<end
  }

  /// The earliest time that stands in a chunk or behind it in its run.
  func earliest(from chunk: Int) -> UInt64 { earliestFromHere[chunk] }

  /// The latest time that stands in a chunk or before it in its run.
  func latest(upTo chunk: Int) -> UInt64 { latestSoFar[chunk] }

  /// The chunk in which a record stands.
  func chunk(of place: TraceRecord.Place) -> LogChunk? {
    let index = ElementPiece.partition(chunks.indices) {
      (chunks[$0].file, chunks[$0].end) > (place.file, place.offset)
    }
    return index < chunks.count && chunks[index].spans(place) ? chunks[index] : nil
  }
}
