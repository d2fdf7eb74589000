import TraceFormat

/// Who waits for whom among the tasks that haven't ended when their logs end.
package struct WaitGraph: Sendable {
  /// The tasks as indices in `LogAnalysis.lifecycles`, ascending.
  package let tasks: [Int]
  private let awaited: [Int: [Int]]
  private let waiters: [Int: [Int]]

  package static let empty = WaitGraph(tasks: [], awaited: [:])

  private init(tasks: [Int], awaited: [Int: [Int]]) {
    self.tasks = tasks
    self.awaited = awaited
    var waiters: [Int: [Int]] = [:]
    for task in tasks {
      for other in awaited[task] ?? [] where other != task {
        waiters[other, default: []].append(task)
      }
    }
    self.waiters = waiters
  }

  package init(_ log: LogAnalysis) {
    let tasks = log.lifecycles.positions { $0.isTask && $0.isActive }
    var children: [Int: [Int]] = [:]
    for index in tasks {
      if let parent = log.parent(of: log.lifecycles[index]) {
        children[parent, default: []].append(index)
      }
    }
    var awaited: [Int: [Int]] = [:]
    for index in tasks {
      let others = log.awaited(of: index) ?? children[index] ?? []
      if !others.isEmpty { awaited[index] = others }
    }
    self.init(tasks: tasks, awaited: awaited)
  }

  /// Returns the tasks that a task waits for and that haven't ended.
  package func waits(of index: Int) -> [Int] { awaited[index] ?? [] }

  /// Returns the other tasks that wait for a task.
  package func waiters(of index: Int) -> [Int] { waiters[index] ?? [] }

  /// The tasks at which to begin a description.
  package var roots: [Int] { WaitRoots.roots(of: tasks, waits: waits) }
}

extension LogAnalysis {
  /// Returns the tasks that a task waits for and that haven't ended, each once. Returns nil for a
  /// task that waits for its group, if the log doesn't list the children of the group. These are
  /// then among the tasks that it made.
  fileprivate func awaited(of index: Int) -> [Int]? {
    guard let present = presentWait(of: index), case .waits(let wait) = present.activity else {
      return []
    }
    if wait == .group, present.awaited.isEmpty { return nil }
    var seen: Set<Int> = []
    return present.awaited.compactMap { id in
      guard let other = self.index(of: id, log: Int(lifecycles.activity(at: index).log)),
        lifecycles.activity(at: other).isActive, seen.insert(other).inserted
      else { return nil }
      return other
    }
  }
}
