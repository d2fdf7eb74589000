package import TraceFormat

/// What a task does in one cell of its bar.
package enum TaskCell: Hashable, Sendable {
  case runs
  /// The task waits; nil if it isn't known for what.
  case waits(UnfinishedTask.Wait?)
  /// The task begins or ends to wait several times in the cell.
  ///
  /// - Parameter percent: The part of the time in which it runs, from 0 to 100.
  case mixed(percent: Int)

  package var isMixed: Bool { if case .mixed = self { true } else { false } }
}

/// The cells of the bar of a task.
struct TaskCells {
  /// The number of changes in a column up to which each of them counts. Of more changes, samples
  /// are as good.
  private static let maxExact = 256
  private static let samples = 64

  private struct Sums {
    var runs: UInt64 = 0
    /// The times of waits, by their raw kinds.
    var waits = [UInt64](repeating: 0, count: WaitChange.kinds)
    var changes = 0

    mutating func add(_ time: UInt64, _ wait: WaitChange?) {
      if let wait { waits[wait.kind] &+= time } else { runs &+= time }
    }
  }

  private let changes: WaitChanges
  private let columns: ScaleColumns
  /// The times of the task in its log's own time.
  private let life: Range<UInt64>

  /// - Parameter life: The times from the beginning to the end of the task in its log's own time.
  init(_ changes: WaitChanges, _ columns: ScaleColumns, life: Range<UInt64>) {
    self.changes = changes
    self.columns = columns
    self.life = life
  }

  /// Returns the cells in a range of columns.
  func cells(_ range: ClosedRange<Int>) -> [TaskCell] {
    var last: WaitChange?
    return range.map { column in
      let from = max(columns.start(of: column), life.lowerBound)
      let to = min(columns.start(of: column + 1), life.upperBound)
      let sums = sums(from, max(from, to), &last)
      return Self.cell(sums, last)
    }
  }

  /// Returns the sums of a time range, and the state at its end.
  private func sums(_ from: UInt64, _ to: UInt64, _ last: inout WaitChange?) -> Sums {
    let first = changes.firstIndex(from: from)
    // A range without any time shows the state at its time.
    let end = changes.firstIndex(from: from < to ? to : from + 1)
    var sums = Sums()
    sums.changes = end - first
    var walk = walk(before: first, from: from)
    if end - first <= Self.maxExact {
      changes.forEach(in: first..<end) { change in
        walk.take(change) { sums.add($1 - $0, $2) }
      }
      walk.end(at: to) { sums.add($1 - $0, $2) }
      last = walk.wait
      if from >= to { sums.add(1, last) }
    } else {
      let step = (end - first) / Self.samples
      for start in stride(from: first, to: end - 2, by: step) {
        // Waits and the times between them alternate, so a sample consists of both.
        for index in start..<start + 2 {
          let change = changes[index]
          sums.add(changes[index + 1].time - change.time, change.isWait ? change : nil)
        }
      }
      last = changes[end - 1].isWait ? changes[end - 1] : nil
    }
    return sums
  }

  /// Returns a walk with the state that the changes before an index lead to.
  private func walk(before index: Int, from time: UInt64) -> WaitWalk {
    // Changes at the same time belong together.
    var start = max(0, index - 1)
    while start > 0, index - start < 8, changes[start - 1].time == changes[start].time {
      start -= 1
    }
    var walk = WaitWalk(from: 0)
    changes.forEach(in: max(0, start - 1)..<index) { change in walk.take(change) { _, _, _ in } }
    walk.skip(to: time)
    return walk
  }

  private static func cell(_ sums: Sums, _ last: WaitChange?) -> TaskCell {
    let waits = sums.waits.reduce(0, &+)
    let (all, overflows) = sums.runs.addingReportingOverflow(waits)
    guard all > 0, !overflows else { return last.map { .waits($0.wait) } ?? .runs }
    let percent = Int(Double(sums.runs) / Double(all) * 100)
    // One change in a cell only moves the border between two bars to the border of a cell.
    if sums.changes > 1, sums.runs > 0, percent < 95 { return .mixed(percent: percent) }
    if sums.runs >= waits { return .runs }
    let longest = sums.waits.indices.max { sums.waits[$0] < sums.waits[$1] } ?? 0
    return .waits(WaitChange(number: UInt64(longest)).wait)
  }
}

extension WaitWalk {
  /// Continues at a later time without visiting the time until then.
  fileprivate mutating func skip(to time: UInt64) { end(at: time) { _, _, _ in } }
}
