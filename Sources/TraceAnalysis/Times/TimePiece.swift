import TraceFormat

/// The times of each subscription's records in one part of a log.
///
/// The rows are consecutive in one array, so that an element costs 4 bytes and a subscription 16
/// bytes.
final class TimePiece: Sendable {
  /// The location of the first record, which identifies the log of the piece.
  let file: Int
  let offset: Int
  /// A Boolean value that indicates whether a header is between this piece and the one before it.
  let beginsLog: Bool
  /// The ids of the subscriptions that have rows in this piece, ascending.
  let ids: [UInt64]
  /// The start of each row, followed by the end of the last row.
  private let starts: [UInt32]
  /// The earliest time, to which the stored times are relative.
  let base: UInt64
  let latest: UInt64
  /// The times of all rows, ascending in each row. They are in `long` if one of them does not fit
  /// into four bytes.
  private let short: [UInt32]
  private let long: [UInt64]

  init(
    file: Int, offset: Int, beginsLog: Bool, ids: [UInt64], starts: [UInt32],
    base: UInt64, latest: UInt64, short: [UInt32], long: [UInt64]
  ) {
    self.file = file
    self.offset = offset
    self.beginsLog = beginsLog
    self.ids = ids
    self.starts = starts
    self.base = base
    self.latest = latest
    self.short = short
    self.long = long
  }

  /// A copy of the piece with a header before it.
  var beginningLog: TimePiece {
    TimePiece(
      file: file, offset: offset, beginsLog: true, ids: ids, starts: starts, base: base,
      latest: latest, short: short, long: long)
  }

  var count: Int { short.count + long.count }

  @inline(__always)
  func time(_ index: Int) -> UInt64 {
    base &+ (long.isEmpty ? UInt64(short[index]) : long[index])
  }

  /// Returns the range of a subscription's times, which may be empty.
  func row(of id: UInt64) -> Range<Int> {
    guard let first = ids.first, let last = ids.last, id >= first, id <= last else { return 0..<0 }
    // Ids are often consecutive.
    let guess = Int(clamping: id - first)
    if guess < ids.count, ids[guess] == id { return row(guess) }
    let index = (0..<min(guess, ids.count)).partitionPoint { ids[$0] >= id }
    return index < ids.count && ids[index] == id ? row(index) : 0..<0
  }

  @inline(__always)
  func row(_ number: Int) -> Range<Int> {
    Int(starts[number])..<Int(starts[number + 1])
  }

  /// Returns the first index in a row, or in a part of a row, whose time is at or after `time`.
  func firstIndex(in row: Range<Int>, from time: UInt64) -> Int {
    guard time > base else { return row.lowerBound }
    let delay = time - base
    if long.isEmpty {
      guard let delay = UInt32(exactly: delay) else { return row.upperBound }
      return row.partitionPoint { short[$0] >= delay }
    }
    return row.partitionPoint { long[$0] >= delay }
  }

  /// Returns the result of `firstIndex(in:from:)` faster if it is likely to be near the beginning.
  func firstIndex(nearStartOf row: Range<Int>, from time: UInt64) -> Int {
    var low = row.lowerBound
    var step = 4
    while row.upperBound - low > step, self.time(low + step) < time {
      low += step + 1
      step *= 2
    }
    return firstIndex(in: low..<min(row.upperBound, low + step), from: time)
  }
}

extension TimePiece {
  /// The minimum number of times in a piece that isn't joined anymore, because that would cost more
  /// than it saves.
  private static let large = 1 << 16
  /// The number of neighbors of about the same size that become one piece.
  private static let fan = 8

  /// Joins pieces at the end of a list, so that a log that grows for hours has few pieces.
  static func tidy(_ pieces: inout [TimePiece]) {
    while let neighbors = neighborsToJoin(pieces) {
      pieces.replaceSubrange(neighbors, with: [join(pieces[neighbors])])
    }
  }

  private static func neighborsToJoin(_ pieces: [TimePiece]) -> Range<Int>? {
    guard let last = pieces.last, last.count < large else { return nil }
    var start = pieces.count - 1
    while start > 0, pieces[start - 1].count <= max(last.count * fan, 1024),
      pieces[start - 1].count < large, pieces[start - 1].file == last.file,
      !pieces[start].beginsLog
    {
      start -= 1
    }
    return pieces.count - start >= fan ? start..<pieces.count : nil
  }

  /// Returns one piece made of pieces that belong to one log and one file.
  static func join(_ pieces: ArraySlice<TimePiece>) -> TimePiece {
    let earliest = pieces.map(\.base).min() ?? 0
    let latest = pieces.map(\.latest).max() ?? 0
    let first = pieces.min { $0.offset < $1.offset }
    var rows = pieces.flatMap { piece in
      piece.ids.enumerated().map { (id: $1, order: piece, number: $0) }
    }
    // Rows of one subscription stay in the order of the pieces, because the sort is stable.
    rows.sort { $0.id < $1.id }
    var ids: [UInt64] = []
    var starts: [UInt32] = []
    var count = 0
    for row in rows {
      if row.id != ids.last {
        ids.append(row.id)
        starts.append(UInt32(clamping: count))
      }
      count += row.order.row(row.number).count
    }
    starts.append(UInt32(clamping: count))
    let isShort = latest - earliest <= UInt64(UInt32.max)
    var short: [UInt32] = []
    var long: [UInt64] = []
    if isShort { short.reserveCapacity(count) } else { long.reserveCapacity(count) }
    for row in rows {
      for index in row.order.row(row.number) {
        let delay = row.order.time(index) - earliest
        if isShort {
          short.append(UInt32(truncatingIfNeeded: delay))
        } else {
          long.append(delay)
        }
      }
    }
    return TimePiece(
      file: first?.file ?? 0, offset: first?.offset ?? 0,
      beginsLog: pieces.first?.beginsLog ?? false,
      ids: ids, starts: starts, base: earliest, latest: latest,
      short: isShort ? TimeNotes.sortedInRows(short, starts) : [],
      long: isShort ? [] : TimeNotes.sortedInRows(long, starts))
  }
}
