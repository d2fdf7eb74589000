import TraceFormat

extension ElementIndex {
  /// Returns the times of the next or the last events of some subscriptions.
  ///
  /// - Parameters:
  ///   - members: The ascending indices of subscriptions.
  ///   - includesOthers: True to include marks and scopes.
  /// - Returns: At least the times of the `most` events nearest to `time`, and `time` itself if an
  ///   event has that time.
  func nearest(
    _ time: Nanoseconds, isForward: Bool, most: Int, members: [Int], includesOthers: Bool
  ) -> [NearestTimes.Moment] {
    var wanted = [[UInt64]](repeating: [], count: logs.count)
    for member in members {
      let lifecycle = lifecycles[member]
      // A subscription has no events after its last one.
      if isForward, lifecycle.last.time < time { continue }
      wanted[Int(lifecycle.log)].append(lifecycle.id.number)
    }
    var nearest = NearestTimes(time, isForward: isForward, most: most)
    var pieces: [(piece: ElementPiece, log: Int)] = []
    for log in logs.indices {
      if includesOthers { wanted[log].append(0) }
      guard !wanted[log].isEmpty else { continue }
      wanted[log].sort()
      pieces += (logs[log].elements + logs[log].others).map { ($0, log) }
    }
    func reach(_ piece: (piece: ElementPiece, log: Int)) -> UInt64 {
      Nanoseconds(isForward ? piece.piece.base : piece.piece.latest)
        .after(logs[piece.log].offset).count
    }
    pieces.sort { isForward ? reach($0) < reach($1) : reach($0) > reach($1) }
    for (piece, log) in pieces {
      guard nearest.accepts(reach((piece, log))) else { break }
      piece.visitRows(of: wanted[log]) { row in
        nearest.add(row, of: piece, log, offset: logs[log].offset)
      }
    }
    return nearest.moments
  }
}

extension ElementPiece {
  /// Calls `visit` with the rows of ascending ids, as far as the piece has them.
  fileprivate func visitRows(of wanted: [UInt64], _ visit: (Range<Int>) -> Void) {
    // A search is faster for few ids, and a walk is faster for many.
    if wanted.count < ids.count / 16 {
      for id in wanted {
        let row = row(of: id)
        if !row.isEmpty { visit(row) }
      }
      return
    }
    var next = 0
    for (index, id) in ids.enumerated() {
      while next < wanted.count, wanted[next] < id { next += 1 }
      guard next < wanted.count else { return }
      if wanted[next] == id { visit(row(index)) }
    }
  }
}
