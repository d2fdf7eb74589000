import TraceFormat

/// The beginnings and ends of the waits of one task, in ascending order.
///
/// They aren't copied, unless several parts of the log have them in another order.
struct WaitChanges {
  private struct Part {
    let piece: TimePiece
    let range: Range<Int>
    /// The number of changes before this part.
    let start: Int
  }

  private var parts: [Part] = []
  /// The changes if the parts overlap.
  private var sorted: [UInt64] = []
  private(set) var count = 0

  init(of id: UInt64, in pieces: [TimePiece]) {
    var found: [(piece: TimePiece, range: Range<Int>)] = []
    for piece in pieces {
      let range = piece.row(of: id)
      if !range.isEmpty { found.append((piece, range)) }
    }
    guard found.count > 1 else {
      for (piece, range) in found { append(piece, range) }
      return
    }
    found.sort { $0.piece.time($0.range.lowerBound) < $1.piece.time($1.range.lowerBound) }
    let isOrdered = zip(found, found.dropFirst()).allSatisfy { left, right in
      left.piece.time(left.range.upperBound - 1) <= right.piece.time(right.range.lowerBound)
    }
    if isOrdered {
      for (piece, range) in found { append(piece, range) }
    } else {
      sorted = found.flatMap { found in found.range.map { found.piece.time($0) } }.sorted()
      count = sorted.count
    }
  }

  private mutating func append(_ piece: TimePiece, _ range: Range<Int>) {
    parts.append(Part(piece: piece, range: range, start: count))
    count += range.count
  }

  subscript(index: Int) -> WaitChange {
    guard sorted.isEmpty else { return WaitChange(number: sorted[index]) }
    let part = parts[parts.count == 1 ? 0 : parts.partitionPoint { $0.start > index } - 1]
    return WaitChange(number: part.piece.time(part.range.lowerBound + index - part.start))
  }

  /// Returns the index of the first change at or after a time.
  func firstIndex(from time: UInt64) -> Int {
    let number = WaitChange.firstNumber(at: time)
    guard sorted.isEmpty else { return sorted.partitionPoint { $0 >= number } }
    // Only the last part that begins earlier can have the change.
    let next = parts.partitionPoint { $0.piece.time($0.range.lowerBound) >= number }
    guard next > 0 else { return 0 }
    let part = parts[next - 1]
    let index = part.piece.firstIndex(in: part.range, from: number)
    return part.start + index - part.range.lowerBound
  }

  /// Calls `visit` with each change in a range of indices.
  @inline(__always)
  func forEach(in range: Range<Int>, _ visit: (WaitChange) -> Void) {
    guard sorted.isEmpty else {
      for index in range { visit(WaitChange(number: sorted[index])) }
      return
    }
    for part in parts {
      let lower = max(range.lowerBound, part.start)
      let upper = min(range.upperBound, part.start + part.range.count)
      guard lower < upper else { continue }
      let first = part.range.lowerBound - part.start
      for index in lower..<upper {
        visit(WaitChange(number: part.piece.time(first + index)))
      }
    }
  }
}
