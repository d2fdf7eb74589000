import TraceFormat

/// When the records of each subscription came, as one stretch of a log has them: its rows stand one behind the other in one
/// array, so that an element costs four bytes and a subscription sixteen.
final class ElementPiece: Sendable {
  /// Where the first of its records stands, by which its log is found.
  let file: Int
  let offset: Int
  /// Whether a header stands between it and the piece before.
  let beginsLog: Bool
  /// The subscriptions that it has rows of, ascending.
  let ids: [UInt64]
  /// Where each row begins, and behind them where the last one ends.
  private let starts: [UInt32]
  /// The earliest time, from which the others count.
  let base: UInt64
  let latest: UInt64
  /// The times of all rows, ascending in each; in `long` where four bytes are too few for one of them.
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

  /// The same with a header before it.
  var beginningLog: ElementPiece {
    ElementPiece(
      file: file, offset: offset, beginsLog: true, ids: ids, starts: starts, base: base,
      latest: latest, short: short, long: long)
  }

  var count: Int { short.count + long.count }

  @inline(__always)
  func time(_ index: Int) -> UInt64 {
    base &+ (long.isEmpty ? UInt64(short[index]) : long[index])
  }

  /// The places of a subscription's times; empty where it has none.
  func row(of id: UInt64) -> Range<Int> {
    guard let first = ids.first, let last = ids.last, id >= first, id <= last else { return 0..<0 }
    // Ids often follow each other without a gap.
    let guess = Int(clamping: id - first)
    if guess < ids.count, ids[guess] == id { return row(guess) }
    let place = Self.partition(0..<min(guess, ids.count)) { ids[$0] >= id }
    return place < ids.count && ids[place] == id ? row(place) : 0..<0
  }

  @inline(__always)
  func row(_ place: Int) -> Range<Int> {
    Int(starts[place])..<Int(starts[place + 1])
  }

  /// The first place in a row, or in a part of one, whose time is not before `time`.
  func firstPlace(in row: Range<Int>, from time: UInt64) -> Int {
    guard time > base else { return row.lowerBound }
    let delay = time - base
    if long.isEmpty {
      guard let delay = UInt32(exactly: delay) else { return row.upperBound }
      return Self.partition(row) { short[$0] >= delay }
    }
    return Self.partition(row) { long[$0] >= delay }
  }

  /// The same, where it is likely to be near the beginning.
  func firstPlace(nearStartOf row: Range<Int>, from time: UInt64) -> Int {
    var low = row.lowerBound
    var step = 4
    while row.upperBound - low > step, self.time(low + step) < time {
      low += step + 1
      step *= 2
    }
    return firstPlace(in: low..<min(row.upperBound, low + step), from: time)
  }

  /// The first index of which something is true that is true of all after it.
  @inline(__always)
  static func partition(_ range: Range<Int>, _ isTrue: (Int) -> Bool) -> Int {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if isTrue(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
