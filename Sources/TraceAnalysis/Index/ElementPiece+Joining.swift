import TraceFormat

extension ElementPiece {
  /// The number of times from which on a piece stays as it is. Joining it would cost more than it
  /// saves.
  private static let large = 1 << 16
  /// The number of neighbors of about the same size that become one piece.
  private static let fan = 8

  /// Joins pieces at the end of a list, so that a log that grows for hours has few pieces.
  static func tidy(_ pieces: inout [ElementPiece]) {
    while let neighbours = neighboursToJoin(pieces) {
      pieces.replaceSubrange(neighbours, with: [join(pieces[neighbours])])
    }
  }

  private static func neighboursToJoin(_ pieces: [ElementPiece]) -> Range<Int>? {
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
  static func join(_ pieces: ArraySlice<ElementPiece>) -> ElementPiece {
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
    return ElementPiece(
      file: first?.file ?? 0, offset: first?.offset ?? 0,
      beginsLog: pieces.first?.beginsLog ?? false,
      ids: ids, starts: starts, base: earliest, latest: latest,
      short: isShort ? ElementNotes.sortedInRows(short, starts) : [],
      long: isShort ? [] : ElementNotes.sortedInRows(long, starts))
  }
}
