package import TraceFormat

/// A time in which a task waited.
package struct TaskWait: Equatable, Sendable {
  package let start: Nanoseconds
  /// The time at which the task could run again; nil if it waits until it ends or its log does.
  package let end: Nanoseconds?
  /// What the task waited for; nil if it isn't known.
  package let wait: UnfinishedTask.Wait?

  package init(start: Nanoseconds, end: Nanoseconds?, wait: UnfinishedTask.Wait?) {
    self.start = start
    self.end = end
    self.wait = wait
  }
}

extension LogAnalysis {
  /// Returns what a task does in each of some columns; an empty array if the log doesn't show that.
  package func taskCells(
    of index: Int, _ columns: ClosedRange<Int>, _ scale: TimeScale
  ) -> [TaskCell] {
    guard let changes = changes(of: index) else { return [] }
    let offset = logs[Int(lifecycles.activity(at: index).log)].offset
    return TaskCells(changes, ScaleColumns(scale, offset: offset), life: life(of: index))
      .cells(columns)
  }

  /// Returns the waits of a task on the axis of all logs, up to a number of them.
  package func waits(of index: Int, maxCount: Int = .max) -> [TaskWait] {
    guard let changes = changes(of: index) else { return [] }
    let offset = logs[Int(lifecycles.activity(at: index).log)].offset
    let life = life(of: index)
    var waits: [TaskWait] = []
    walk(changes, life) { from, to, wait in
      guard let wait, waits.count < maxCount else { return }
      let isOpen = to >= life.upperBound && wait == lastWait(changes)
      waits.append(
        TaskWait(
          start: Nanoseconds(from).after(offset), end: isOpen ? nil : Nanoseconds(to).after(offset),
          wait: wait.wait))
    }
    return waits
  }

  /// The waits of a task in numbers.
  package struct WaitSums: Sendable {
    /// The number of waits.
    package fileprivate(set) var count = 0
    /// The time of all waits for the same, the longest first.
    package fileprivate(set) var times: [(wait: UnfinishedTask.Wait?, time: Nanoseconds)] = []
    /// The time in which the task didn't wait.
    package fileprivate(set) var running = Nanoseconds.zero
  }

  /// Returns the waits of a task in numbers; nil if the log doesn't have any.
  package func waitSums(of index: Int) -> WaitSums? {
    guard let changes = changes(of: index) else { return nil }
    var sums = WaitSums()
    var times = [UInt64](repeating: 0, count: WaitChange.kinds)
    var running: UInt64 = 0
    walk(changes, life(of: index)) { from, to, wait in
      guard let wait else { return running &+= to - from }
      sums.count += 1
      times[wait.kind] &+= to - from
    }
    sums.running = Nanoseconds(running)
    sums.times = times.enumerated().filter { $1 > 0 }
      .map { (WaitChange(number: UInt64($0)).wait, Nanoseconds($1)) }
      .sorted { ($1.time, $0.wait?.rawValue ?? "") < ($0.time, $1.wait?.rawValue ?? "") }
    return sums.count > 0 ? sums : nil
  }

  /// Returns whether a task waits after its last change; nil if the log has no changes of it.
  func waitsAtEnd(_ index: Int) -> Bool? {
    changes(of: index).map { lastWait($0) != nil }
  }

  private func changes(of index: Int) -> WaitChanges? {
    let activity = lifecycles.activity(at: index)
    guard activity.isTask, !logs[Int(activity.log)].waits.isEmpty else { return nil }
    let changes = logs[Int(activity.log)].waits.changes(of: lifecycles.origin(at: index).id.number)
    return changes.count > 0 ? changes : nil
  }

  /// Returns the times from the beginning to the end of a task, in its log's own time.
  private func life(of index: Int) -> Range<UInt64> {
    let activity = lifecycles.activity(at: index)
    let origin = lifecycles.origin(at: index)
    let offset = logs[Int(activity.log)].offset
    let start = origin.start.count - min(origin.start.count, offset)
    let last = lastMoment(activity, origin).count
    return start..<max(start, last - min(last, offset))
  }

  private func walk(
    _ changes: WaitChanges, _ life: Range<UInt64>,
    _ visit: (_ from: UInt64, _ to: UInt64, WaitChange?) -> Void
  ) {
    var walk = WaitWalk(from: 0)
    func visitLife(_ from: UInt64, _ to: UInt64, _ wait: WaitChange?) {
      let (from, to) = (max(from, life.lowerBound), min(to, life.upperBound))
      if from < to { visit(from, to, wait) }
    }
    changes.forEach(in: 0..<changes.count) { walk.take($0, visitLife) }
    walk.end(at: life.upperBound, visitLife)
  }

  /// Returns the wait that the last changes lead to; nil if they lead to running.
  private func lastWait(_ changes: WaitChanges) -> WaitChange? {
    var walk = WaitWalk(from: 0)
    changes.forEach(in: max(0, changes.count - 8)..<changes.count) { change in
      walk.take(change) { _, _, _ in }
    }
    return walk.wait
  }
}
