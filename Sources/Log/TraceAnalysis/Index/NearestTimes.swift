import TraceFormat

/// The times nearest to a given time, on one side of it.
struct NearestTimes {
  struct Moment: Hashable {
    /// The time in the log's own time.
    let time: UInt64
    let log: Int
  }

  private struct Entry {
    let distance: UInt64
    let moment: Moment
  }

  private let time: UInt64
  private let isForward: Bool
  private let maxCount: Int
  private var entries: [Entry] = []
  /// The events at the time itself. They do not count toward `maxCount`, because some of them may
  /// be on the wrong side.
  private var here: Set<Moment> = []
  private var limit = UInt64.max

  init(_ time: Nanoseconds, isForward: Bool, maxCount: Int) {
    self.time = time.count
    self.isForward = isForward
    self.maxCount = min(maxCount, 1 << 40)
  }

  /// Reports whether an event at a time, or beyond it, may be one of the nearest.
  func accepts(_ time: UInt64) -> Bool {
    let isBeyond = isForward ? time > self.time : time < self.time
    return !isBeyond || distance(time) <= limit
  }

  private func distance(_ time: UInt64) -> UInt64 {
    isForward ? time - self.time : self.time - time
  }

  /// Adds the times of a row that are on the requested side.
  mutating func add(_ row: Range<Int>, of piece: TimePiece, _ log: Int, offset: UInt64) {
    var added = 0
    if isForward {
      let own = time - min(time, offset)
      for index in piece.firstIndex(in: row, from: own)..<row.upperBound {
        guard add(piece.time(index), log, offset, &added) else { return }
      }
    } else {
      guard time >= offset else { return }
      let own = time - offset
      let end = own == .max ? row.upperBound : piece.firstIndex(in: row, from: own + 1)
      for index in (row.lowerBound..<end).reversed() {
        guard add(piece.time(index), log, offset, &added) else { return }
      }
    }
  }

  /// Adds a time, and returns whether times that are farther away may be added too.
  private mutating func add(
    _ own: UInt64, _ log: Int, _ offset: UInt64, _ added: inout Int
  ) -> Bool {
    let moment = Moment(time: own, log: log)
    let distance = distance(Nanoseconds(own).after(offset).count)
    if distance == 0 {
      here.insert(moment)
      return true
    }
    guard distance <= limit, added < maxCount else { return false }
    entries.append(Entry(distance: distance, moment: moment))
    added += 1
    if entries.count >= 2 * maxCount + 64 { narrow() }
    return true
  }

  /// Keeps the nearest times. If several times are as far away as the last of them, keeps one for
  /// each log.
  private mutating func narrow() {
    entries.sort { $0.distance < $1.distance }
    guard maxCount > 0, entries.count >= maxCount else { return }
    let last = entries[maxCount - 1].distance
    limit = last
    var ties: Set<Moment> = []
    entries = entries.prefix { $0.distance <= last }
      .filter { $0.distance < last || ties.insert($0.moment).inserted }
  }

  var moments: [Moment] {
    var nearest = self
    nearest.narrow()
    return Array(here) + nearest.entries.map(\.moment)
  }
}
