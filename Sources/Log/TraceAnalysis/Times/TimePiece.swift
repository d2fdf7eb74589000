import TraceFormat

/// The times of each subscription's records in one part of a log.
///
/// The rows are consecutive in one array, so that an element costs 4 bytes and a row 8 bytes.
final class TimePiece: Sendable {
  /// The location of the first record, which identifies the log of the piece.
  let file: Int
  let offset: Int
  /// A Boolean value that indicates whether a header is between this piece and the one before it.
  let beginsLog: Bool
  /// The ids of the subscriptions that have rows in this piece, ascending.
  let ids: OffsetColumn
  /// The start of each row, followed by the end of the last row.
  private let starts: [UInt32]
  let latest: UInt64
  /// The times of all rows, ascending in each row.
  private let times: OffsetColumn

  init(
    file: Int, offset: Int, beginsLog: Bool, ids: OffsetColumn, starts: [UInt32], latest: UInt64,
    times: OffsetColumn
  ) {
    self.file = file
    self.offset = offset
    self.beginsLog = beginsLog
    self.ids = ids
    self.starts = starts
    self.latest = latest
    self.times = OffsetColumn(times, sortedInRows: starts)
  }

  private init(beginningLog piece: TimePiece) {
    file = piece.file
    offset = piece.offset
    beginsLog = true
    ids = piece.ids
    starts = piece.starts
    latest = piece.latest
    times = piece.times
  }

  /// A copy of the piece with a header before it.
  var beginningLog: TimePiece { TimePiece(beginningLog: self) }

  var count: Int { times.count }
  /// The earliest time.
  var base: UInt64 { times.base }

  @inline(__always)
  func time(_ index: Int) -> UInt64 { times[index] }

  /// Returns the range of a subscription's times, which may be empty.
  func row(of id: UInt64) -> Range<Int> {
    guard let first = ids.first, let last = ids.last, id >= first, id <= last else { return 0..<0 }
    // Ids are often consecutive.
    let guess = Int(clamping: id - first)
    if guess < ids.count, ids[guess] == id { return row(guess) }
    let index = ids.firstIndex(in: 0..<min(guess, ids.count), from: id)
    return index < ids.count && ids[index] == id ? row(index) : 0..<0
  }

  @inline(__always)
  func row(_ number: Int) -> Range<Int> {
    Int(starts[number])..<Int(starts[number + 1])
  }

  /// Returns the first index in a row, or in a part of a row, whose time is at or after `time`.
  func firstIndex(in row: Range<Int>, from time: UInt64) -> Int {
    times.firstIndex(in: row, from: time)
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
  ///
  /// With a million subscriptions of nine elements each, a row of a piece with 2^18 times has one
  /// or two times. Joined pieces have a fourth of the rows, which saves 100 of 155 MB.
  private static let large = 1 << 21
  /// From this number of times on, pieces are only joined if their times continue to take 4 bytes.
  private static let medium = 1 << 16
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
    var (start, count) = (pieces.count - 1, last.count)
    var (earliest, latest) = (last.base, last.latest)
    while start > 0, !pieces[start].beginsLog {
      let next = pieces[start - 1]
      guard next.file == last.file, next.count < large, next.count <= max(last.count * fan, 1024)
      else { break }
      count += next.count
      earliest = min(earliest, next.base)
      latest = max(latest, next.latest)
      guard count < medium || OffsetColumn.isShort(earliest, latest) else { break }
      start -= 1
    }
    return pieces.count - start >= fan ? start..<pieces.count : nil
  }

  /// Returns one piece made of pieces that belong to one log and one file.
  static func join(_ pieces: ArraySlice<TimePiece>) -> TimePiece {
    let pieces = Array(pieces)
    let first = pieces.min { $0.offset < $1.offset }
    var rows = 0
    eachID(pieces) { _, _ in rows += 1 }
    var starts: [UInt32] = []
    starts.reserveCapacity(rows + 1)
    var count = 0
    let lowest = pieces.lazy.compactMap(\.ids.first).min() ?? 0
    let highest = pieces.lazy.compactMap(\.ids.last).max() ?? lowest
    let ids = OffsetColumn(base: lowest, highest: highest, count: rows) { append in
      eachID(pieces) { id, found in
        append(id)
        starts.append(UInt32(clamping: count))
        for (piece, row) in found { count += pieces[piece].row(row).count }
      }
    }
    starts.append(UInt32(clamping: count))
    let earliest = pieces.lazy.map(\.base).min() ?? 0
    let latest = pieces.lazy.map(\.latest).max() ?? earliest
    let times = OffsetColumn(base: earliest, highest: latest, count: count) { append in
      eachID(pieces) { _, found in
        for (piece, row) in found {
          for index in pieces[piece].row(row) { append(pieces[piece].time(index)) }
        }
      }
    }
    return TimePiece(
      file: first?.file ?? 0, offset: first?.offset ?? 0,
      beginsLog: pieces.first?.beginsLog ?? false, ids: ids, starts: starts, latest: latest,
      times: times)
  }

  /// Calls `visit` with each id of the pieces in ascending order, and with the rows that it has, in
  /// the order of the pieces.
  private static func eachID(
    _ pieces: [TimePiece], _ visit: (UInt64, [(piece: Int, row: Int)]) -> Void
  ) {
    var rows = [Int](repeating: 0, count: pieces.count)
    var next = pieces.map { $0.ids.first }
    var found: [(piece: Int, row: Int)] = []
    while let id = next.lazy.compactMap(\.self).min() {
      found.removeAll(keepingCapacity: true)
      for piece in next.indices where next[piece] == id {
        found.append((piece, rows[piece]))
        rows[piece] += 1
        let ids = pieces[piece].ids
        next[piece] = rows[piece] < ids.count ? ids[rows[piece]] : nil
      }
      visit(id, found)
    }
  }
}
