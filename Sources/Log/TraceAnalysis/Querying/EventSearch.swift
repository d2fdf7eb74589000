import TraceFormat

/// A search for the chunks to read for some events, one chunk at a time.
///
/// The search begins with the chunks that are next in time. If most subscriptions are wanted, one
/// or two chunks contain enough events. After some chunks, the search asks the index of elements
/// for the wanted events.
struct EventSearch {
  private let chunks: ChunkIndex
  private let isForward: Bool
  private let time: Nanoseconds
  /// The remaining chunks of each run.
  private var rests: [Range<Int>]
  private var read: Set<Int> = []
  /// The chunks with wanted events, the next one last; nil until the search asks the index.
  private var known: [Int]?
  /// The times of the wanted events, each in the own time of its log, ascending; empty until the
  /// search asks the index.
  private(set) var times: [UInt64] = []
  private let ask: () -> [NearestTimes.Moment]

  /// The number of chunks to read before the search asks the index, which may cost as much.
  private static let chunksBeforeIndex = 8

  init(
    _ reader: EventReader, isForward: Bool, _ position: LogEvent.Position,
    ask: @escaping () -> [NearestTimes.Moment]
  ) {
    chunks = reader.chunks
    self.isForward = isForward
    self.ask = ask
    time = position.time
    rests = []
    for run in chunks.runs {
      // These times are the log's own, which start at its beginning.
      let own = time.count - min(time.count, run.offset)
      if isForward {
        rests.append(chunks.candidates(run, own ... .max))
      } else {
        rests.append(time.count < run.offset ? 0..<0 : chunks.candidates(run, 0...own))
      }
    }
  }

  /// Returns the next chunk to read.
  ///
  /// - Parameter bound: The time beyond which no events are wanted, seen from the
  ///   position.
  mutating func next(bound: Nanoseconds?) -> Int? {
    if known != nil { return nextKnown() }
    guard let chunk = isForward ? nextAfter(bound) : nextBefore(bound) else { return nil }
    if read.count == Self.chunksBeforeIndex {
      lookUp()
      return nextKnown()
    }
    read.insert(chunk)
    return chunk
  }

  private mutating func nextKnown() -> Int? {
    known?.popLast()
  }

  private mutating func lookUp() {
    let runs = Dictionary(grouping: chunks.runs, by: \.log)
    var found: Set<Int> = []
    let moments = ask()
    times = moments.map(\.time).sorted()
    for moment in moments {
      for run in runs[moment.log] ?? [] {
        for chunk in chunks.candidates(run, moment.time...moment.time) where !read.contains(chunk) {
          let times = chunks.chunks[chunk].earliest.count...chunks.chunks[chunk].latest.count
          if times.contains(moment.time) { found.insert(chunk) }
        }
      }
    }
    known = isForward ? found.sorted(by: >) : found.sorted()
  }

  private mutating func nextAfter(_ bound: Nanoseconds?) -> Int? {
    while true {
      var best: (run: Int, time: Nanoseconds)?
      for (run, rest) in rests.enumerated() where !rest.isEmpty {
        let earliest = Nanoseconds(chunks.earliest(from: rest.lowerBound))
          .after(chunks.runs[run].offset)
        if best.map({ earliest < $0.time }) ?? true { best = (run, earliest) }
      }
      guard let best, best.time <= bound ?? best.time else { return nil }
      let chunk = rests[best.run].removeFirst()
      if chunks.chunks[chunk].latest.after(chunks.runs[best.run].offset) >= time { return chunk }
    }
  }

  private mutating func nextBefore(_ bound: Nanoseconds?) -> Int? {
    while true {
      var best: (run: Int, time: Nanoseconds)?
      for (run, rest) in rests.enumerated() where !rest.isEmpty {
        let latest = Nanoseconds(chunks.latest(upTo: rest.upperBound - 1))
          .after(chunks.runs[run].offset)
        if best.map({ latest > $0.time }) ?? true { best = (run, latest) }
      }
      guard let best, best.time >= bound ?? best.time else { return nil }
      let chunk = rests[best.run].removeLast()
      if chunks.chunks[chunk].earliest.after(chunks.runs[best.run].offset) <= time { return chunk }
    }
  }
}
