package import TraceFormat

/// An index of the times of each subscription's elements, on the axis of all logs.
///
/// It identifies subscriptions by their indices in `LogAnalysis.lifecycles`.
package struct ElementIndex: Sendable {
  /// The pieces of one log, and the start of the log on the axis of all logs.
  struct Log: Sendable {
    var elements: [TimePiece] = []
    /// The pieces for beginnings, ends and breakpoints; marks and scopes have the id 0.
    var others: [TimePiece] = []
    let offset: UInt64
  }

  let logs: [Log]
  let lifecycles: LifecycleList
  /// The number of elements of all logs.
  package let total: Int

  init(_ builder: ElementIndexBuilder, _ analysis: LogAnalysis) {
    var logs = analysis.logs.map { Log(offset: $0.offset) }
    func log(of piece: TimePiece) -> Int? {
      guard !analysis.sections.isEmpty else { return nil }
      let location = TraceRecord.Location(
        file: piece.file, line: 1, offset: piece.offset, length: 0)
      let section = analysis.sections[analysis.section(of: location)]
      return section.file == piece.file && section.offset <= piece.offset ? section.log : nil
    }
    for piece in builder.elements {
      if let log = log(of: piece) { logs[log].elements.append(piece) }
    }
    for piece in builder.others {
      if let log = log(of: piece) { logs[log].others.append(piece) }
    }
    self.init(logs, analysis.lifecycles)
  }

  private init(_ logs: [Log], _ lifecycles: LifecycleList) {
    self.logs = logs
    self.lifecycles = lifecycles
    total = logs.reduce(0) { $1.elements.reduce($0) { $0 + $1.count } }
  }

  /// Returns the index with the beginning of each log at time 0.
  ///
  /// - Parameter lifecycles: The subscriptions, with their times on that axis.
  func aligned(_ lifecycles: LifecycleList) -> ElementIndex {
    ElementIndex(
      logs.map { Log(elements: $0.elements, others: $0.others, offset: 0) }, lifecycles)
  }

  private struct Row {
    let id: UInt64
    let log: Log

    /// Calls `visit` for each piece that contains elements of the subscription.
    @inline(__always)
    func visit(_ visit: (TimePiece, Range<Int>) -> Void) {
      for piece in log.elements {
        let row = piece.row(of: id)
        if !row.isEmpty { visit(piece, row) }
      }
    }
  }

  private func row(_ lifecycle: Int) -> Row {
    Row(id: lifecycles[lifecycle].id.number, log: logs[Int(lifecycles[lifecycle].log)])
  }

  /// Returns the number of elements at or after the time `from` and before the time `before`.
  package func count(of lifecycle: Int, from: Nanoseconds, before: Nanoseconds) -> Int {
    let row = row(lifecycle)
    guard before > from, before.count > row.log.offset else { return 0 }
    let first = from.count - min(from.count, row.log.offset)
    let end = before.count - row.log.offset
    var count = 0
    row.visit { piece, range in
      guard piece.base < end, piece.latest >= first else { return }
      count +=
        piece.firstIndex(in: range, from: end) - piece.firstIndex(in: range, from: first)
    }
    return count
  }

  /// Returns the time of the first element after `time`.
  package func next(after time: Nanoseconds, of lifecycle: Int) -> Nanoseconds? {
    let row = row(lifecycle)
    // There is no time after the maximum.
    guard time.count < .max else { return nil }
    let from = time.count < row.log.offset ? 0 : time.count - row.log.offset + 1
    var found: UInt64?
    row.visit { piece, range in
      guard piece.latest >= from, piece.base < found ?? .max else { return }
      let index = piece.firstIndex(in: range, from: from)
      if index < range.upperBound { found = min(found ?? .max, piece.time(index)) }
    }
    return found.map { Nanoseconds($0).after(row.log.offset) }
  }

  /// Returns the time of the last element before `time`.
  package func previous(before time: Nanoseconds, of lifecycle: Int) -> Nanoseconds? {
    let row = row(lifecycle)
    guard time.count > row.log.offset else { return nil }
    let before = time.count - row.log.offset
    var found: UInt64?
    row.visit { piece, range in
      guard piece.base < before, piece.latest >= found ?? 0 else { return }
      let index = piece.firstIndex(in: range, from: before)
      if index > range.lowerBound { found = max(found ?? 0, piece.time(index - 1)) }
    }
    return found.map { Nanoseconds($0).after(row.log.offset) }
  }

  /// Adds the number of elements of all subscriptions in each column of a scale to `cells`.
  /// Elements outside the scale's time range are not counted.
  package func addAll(_ scale: TimeScale, to cells: inout [Int]) {
    for log in logs {
      let columns = ScaleColumns(scale, offset: log.offset)
      guard let times = columns.times else { continue }
      for piece in log.elements {
        for index in 0..<piece.count where times.contains(piece.time(index)) {
          cells[columns.column(of: piece.time(index))] += 1
        }
      }
    }
  }

  /// Adds the number of elements in each column of a scale to `cells`. Elements outside the scale's
  /// time range are not counted.
  package func add(_ lifecycle: Int, _ scale: TimeScale, to cells: inout [Int]) {
    let row = row(lifecycle)
    let columns = ScaleColumns(scale, offset: row.log.offset)
    guard let times = columns.times else { return }
    row.visit { piece, range in
      guard piece.base <= times.upperBound, piece.latest >= times.lowerBound else { return }
      var index = piece.firstIndex(in: range, from: times.lowerBound)
      var end = range.upperBound
      if piece.time(end - 1) > times.upperBound {
        end = piece.firstIndex(in: index..<end, from: times.upperBound + 1)
      }
      guard index < end else { return }
      let last = columns.column(of: piece.time(end - 1))
      while index < end {
        let column = columns.column(of: piece.time(index))
        var next = end
        if column < last {
          next = piece.firstIndex(nearStartOf: index..<end, from: columns.start(of: column + 1))
        }
        next = max(next, index + 1)
        cells[column] += next - index
        index = next
      }
    }
  }
}

extension ElementIndex {
  /// Returns the times of the next or previous events of some subscriptions.
  ///
  /// - Parameters:
  ///   - members: The ascending indices of subscriptions.
  ///   - includesOthers: True to include marks and scopes.
  /// - Returns: At least the times of the `maxCount` events nearest to `time`, and `time` itself if
  ///   an event has that time.
  func nearest(
    _ time: Nanoseconds, isForward: Bool, maxCount: Int, members: some RandomAccessCollection<Int>,
    includesOthers: Bool
  ) -> [NearestTimes.Moment] {
    var wanted = [[UInt64]](repeating: [], count: logs.count)
    for member in members {
      let activity = lifecycles.activity(at: member)
      // A subscription has no events after its last one.
      if isForward, activity.lastTime < time { continue }
      wanted[Int(activity.log)].append(lifecycles.origin(at: member).id.number)
    }
    var nearest = NearestTimes(time, isForward: isForward, maxCount: maxCount)
    var pieces: [(piece: TimePiece, log: Int)] = []
    for log in logs.indices {
      if includesOthers { wanted[log].append(0) }
      guard !wanted[log].isEmpty else { continue }
      wanted[log].sort()
      pieces += (logs[log].elements + logs[log].others).map { ($0, log) }
    }
    func reach(_ piece: (piece: TimePiece, log: Int)) -> UInt64 {
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

extension TimePiece {
  /// Calls `visit` with the rows of the wanted ids that are in this piece. The ids must be in
  /// ascending order.
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
