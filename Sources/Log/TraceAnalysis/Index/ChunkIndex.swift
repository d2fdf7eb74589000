import TraceFormat

/// An index of the locations of events in the files by time.
struct ChunkIndex: Sendable {
  /// A sequence of chunks that belong to one log and are in one file.
  struct Run: Sendable {
    let log: Int
    /// The start of the log on the axis of all logs, in nanoseconds.
    let offset: UInt64
    let chunks: Range<Int>
  }

  /// The chunks in the order of the files.
  let chunks: [LogChunk]
  let runs: [Run]
  /// The latest time up to each chunk of a run; `earliestFromHere` has the earliest time from each
  /// chunk on. In logs that are nearly in order, they narrow the search.
  private let latestSoFar: [UInt64]
  private let earliestFromHere: [UInt64]

  init(_ builder: ChunkIndexBuilder, _ analysis: LogAnalysis) {
    let chunks = builder.chunks
    var runs: [Run] = []
    var start = 0
    var section = SectionCursor()
    func log(of chunk: LogChunk) -> Int? {
      // The last byte of a chunk is part of its last record. Its first byte may belong to the
      // newline before it.
      let location = TraceRecord.Location(
        file: chunk.file, line: chunk.lastLine, offset: max(0, chunk.end - 1), length: 0)
      return section.log(of: location, in: analysis)
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
      for index in run.chunks.dropFirst() {
        latestSoFar[index] = max(latestSoFar[index], latestSoFar[index - 1])
      }
      for index in run.chunks.dropLast().reversed() {
        earliestFromHere[index] = min(earliestFromHere[index], earliestFromHere[index + 1])
      }
    }
    self.init(chunks, runs, latestSoFar, earliestFromHere)
  }

  private init(
    _ chunks: [LogChunk], _ runs: [Run], _ latestSoFar: [UInt64], _ earliestFromHere: [UInt64]
  ) {
    self.chunks = chunks
    self.runs = runs
    self.latestSoFar = latestSoFar
    self.earliestFromHere = earliestFromHere
  }

  /// The index with the beginning of each log at time 0.
  var aligned: ChunkIndex {
    ChunkIndex(
      chunks, runs.map { Run(log: $0.log, offset: 0, chunks: $0.chunks) }, latestSoFar,
      earliestFromHere)
  }

  /// Returns the chunks of a run that may contain records in a time range. The range is in the
  /// log's own time.
  func candidates(_ run: Run, _ times: ClosedRange<UInt64>) -> Range<Int> {
    let first = run.chunks.partitionPoint { latestSoFar[$0] >= times.lowerBound }
    let end = (first..<run.chunks.upperBound).partitionPoint {
      earliestFromHere[$0] > times.upperBound
    }
    return first..<end
  }

  /// Returns the earliest time in a chunk or in the chunks after it in its run.
  func earliest(from chunk: Int) -> UInt64 { earliestFromHere[chunk] }

  /// Returns the latest time in a chunk or in the chunks before it in its run.
  func latest(upTo chunk: Int) -> UInt64 { latestSoFar[chunk] }

  /// Returns the chunk that contains a record.
  func chunk(of location: TraceRecord.Location) -> LogChunk? {
    let index = chunks.partitionPoint { ($0.file, $0.end) > (location.file, location.offset) }
    return index < chunks.count && chunks[index].spans(location) ? chunks[index] : nil
  }
}
