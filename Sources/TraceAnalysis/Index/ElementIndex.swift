package import TraceFormat

/// When the elements of each subscription came, on the axis of all logs.
///
/// Subscriptions are named by their places in `LogAnalysis.lifecycles`.
package struct ElementIndex: Sendable {
  /// The pieces of one log, and when its time was 0.
  struct Log: Sendable {
    var elements: [ElementPiece] = []
    /// Beginnings, ends and breakpoints; marks and scopes at 0.
    var others: [ElementPiece] = []
    let offset: UInt64
  }

  let logs: [Log]
  let lifecycles: [Lifecycle]
  /// All elements of all logs.
  package let total: Int

  init(_ builder: ElementIndexBuilder, _ analysis: LogAnalysis) {
    var logs = analysis.logs.map { Log(offset: $0.offset) }
    func log(of piece: ElementPiece) -> Int? {
      guard !analysis.sections.isEmpty else { return nil }
      let place = TraceRecord.Place(file: piece.file, line: 1, offset: piece.offset, length: 0)
      let section = analysis.sections[analysis.section(of: place)]
      return section.file == piece.file && section.offset <= piece.offset ? section.log : nil
    }
    for piece in builder.elements {
      if let log = log(of: piece) { logs[log].elements.append(piece) }
    }
    for piece in builder.others {
      if let log = log(of: piece) { logs[log].others.append(piece) }
    }
    self.logs = logs
    lifecycles = analysis.lifecycles
    total = logs.reduce(0) { $1.elements.reduce($0) { $0 + $1.count } }
  }

  private struct Row {
    let id: UInt64
    let log: Log

    /// Calls back for each piece in which it has elements.
    @inline(__always)
    func visit(_ visit: (ElementPiece, Range<Int>) -> Void) {
      for piece in log.elements {
        let row = piece.row(of: id)
        if !row.isEmpty { visit(piece, row) }
      }
    }
  }

  private func row(_ lifecycle: Int) -> Row {
    Row(id: lifecycles[lifecycle].id.number, log: logs[Int(lifecycles[lifecycle].log)])
  }

  /// How many elements came from one time on, before another.
  package func count(of lifecycle: Int, from: Nanoseconds, before: Nanoseconds) -> Int {
    let row = row(lifecycle)
    guard before > from, before.count > row.log.offset else { return 0 }
    let first = from.count - min(from.count, row.log.offset)
    let end = before.count - row.log.offset
    var count = 0
    row.visit { piece, places in
      guard piece.base < end, piece.latest >= first else { return }
      count +=
        piece.firstPlace(in: places, from: end) - piece.firstPlace(in: places, from: first)
    }
    return count
  }

  /// The time of the first element that comes later.
  package func next(after time: Nanoseconds, of lifecycle: Int) -> Nanoseconds? {
    let row = row(lifecycle)
    // Nothing is later than the end of time.
    guard time.count < .max else { return nil }
    let from = time.count < row.log.offset ? 0 : time.count - row.log.offset + 1
    var found: UInt64?
    row.visit { piece, places in
      guard piece.latest >= from, piece.base < found ?? .max else { return }
      let place = piece.firstPlace(in: places, from: from)
      if place < places.upperBound { found = min(found ?? .max, piece.time(place)) }
    }
    return found.map { Nanoseconds($0).after(row.log.offset) }
  }

  /// The time of the last element that came earlier.
  package func previous(before time: Nanoseconds, of lifecycle: Int) -> Nanoseconds? {
    let row = row(lifecycle)
    guard time.count > row.log.offset else { return nil }
    let before = time.count - row.log.offset
    var found: UInt64?
    row.visit { piece, places in
      guard piece.base < before, piece.latest >= found ?? 0 else { return }
      let place = piece.firstPlace(in: places, from: before)
      if place > places.lowerBound { found = max(found ?? 0, piece.time(place - 1)) }
    }
    return found.map { Nanoseconds($0).after(row.log.offset) }
  }

  /// The nanoseconds between elements that follow each other.
  package func visitGaps(of lifecycle: Int, _ visit: (UInt64) -> Void) {
    let row = row(lifecycle)
    var last: UInt64?
    var isOrdered = true
    row.visit { piece, places in
      if let last, piece.time(places.lowerBound) < last { isOrdered = false }
      last = piece.time(places.upperBound - 1)
    }
    last = nil
    func step(to time: UInt64) {
      if let last { visit(time - last) }
      last = time
    }
    if isOrdered {
      row.visit { piece, places in
        for place in places { step(to: piece.time(place)) }
      }
    } else {
      var times: [UInt64] = []
      row.visit { piece, places in times += places.map { piece.time($0) } }
      for time in times.sorted() { step(to: time) }
    }
  }

  /// Adds to each column of a scale the number of elements that fall into it; what lies outside its stretch is not counted.
  package func add(_ lifecycle: Int, _ scale: TimeScale, to cells: inout [Int]) {
    let row = row(lifecycle)
    let columns = ScaleColumns(scale, offset: row.log.offset)
    guard let stretch = columns.stretch else { return }
    row.visit { piece, places in
      guard piece.base <= stretch.upperBound, piece.latest >= stretch.lowerBound else { return }
      var place = piece.firstPlace(in: places, from: stretch.lowerBound)
      var end = places.upperBound
      if piece.time(end - 1) > stretch.upperBound {
        end = piece.firstPlace(in: place..<end, from: stretch.upperBound + 1)
      }
      guard place < end else { return }
      let last = columns.column(of: piece.time(end - 1))
      while place < end {
        let column = columns.column(of: piece.time(place))
        var next = end
        if column < last {
          next = piece.firstPlace(nearStartOf: place..<end, from: columns.start(of: column + 1))
        }
        next = max(next, place + 1)
        cells[column] += next - place
        place = next
      }
    }
  }
}
