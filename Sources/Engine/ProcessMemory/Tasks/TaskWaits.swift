/// Who waits for whom among the tasks of a census.
package struct TaskWaits: Sendable {
  /// The tasks, in the order of the census.
  package let tasks: [TaskRecord]
  /// The indices of the tasks by their addresses.
  private let indices: [UInt: Int]
  /// For each task, the indices of the tasks that it waits for: one, or the children of a group.
  private let waitedFor: [[Int]]

  package init(_ tasks: [TaskRecord]) {
    self.tasks = tasks
    let indices = Dictionary(
      tasks.enumerated().map { ($1.address, $0) }, uniquingKeysWith: { first, _ in first })
    let children = Dictionary(grouping: tasks.indices) { tasks[$0].parent ?? 0 }
    let waitedFor = tasks.indices.map { index -> [Int] in
      switch tasks[index].wait {
      case .task(let address): indices[address].map { [$0] } ?? []
      case .group: children[tasks[index].address] ?? []
      case .continuation, .executor, nil: []
      }
    }
    self.indices = indices
    self.waitedFor = waitedFor
  }

  /// Returns the index of the task at an address, or nil if the census doesn't have it.
  package func index(ofTaskAt address: UInt) -> Int? { indices[address] }

  /// Returns the indices of the tasks that a task waits for. For a group, these are the children
  /// that haven't ended. The result is empty if the census doesn't have the task that it waits for.
  package func waits(of index: Int) -> [Int] { waitedFor[index] }

  /// The cycles of tasks that can never continue. Each task of a cycle waits for the end of
  /// the next one, and the last one for the end of the first one. A cycle begins with its lowest
  /// index. A task that waits for itself is a cycle of one.
  ///
  /// Any child of a group can end the wait for the group, so such a wait is only part of a cycle if
  /// no child can continue.
  package var cycles: [[Int]] {
    let canContinue = canContinue
    var cycles: [[Int]] = []
    var isVisited = canContinue
    for start in tasks.indices {
      var path: [Int] = []
      var position: [Int: Int] = [:]
      var next: Int? = start
      while let index = next, !isVisited[index] {
        isVisited[index] = true
        position[index] = path.count
        path.append(index)
        next = waitedFor[index].first
      }
      guard let end = next, let first = position[end] else { continue }
      let cycle = Array(path[first...])
      let lowest = cycle.indices.min { cycle[$0] < cycle[$1] } ?? 0
      cycles.append(Array(cycle[lowest...] + cycle[..<lowest]))
    }
    return cycles
  }

  /// For each task, whether it can continue: because it doesn't wait for other tasks, or because
  /// one of those that it waits for can.
  private var canContinue: [Bool] {
    var waiters: [[Int]] = tasks.map { _ in [] }
    for (index, others) in waitedFor.enumerated() {
      for other in others { waiters[other].append(index) }
    }
    var canContinue = waitedFor.map(\.isEmpty)
    var open = tasks.indices.filter { canContinue[$0] }
    while let next = open.popLast() {
      for waiter in waiters[next] where !canContinue[waiter] {
        canContinue[waiter] = true
        open.append(waiter)
      }
    }
    return canContinue
  }
}
