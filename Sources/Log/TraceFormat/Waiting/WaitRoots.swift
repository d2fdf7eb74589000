/// The tops of the waits of tasks, which are indices.
package enum WaitRoots {
  /// Returns the tasks at which to begin a description, from which the waits lead to all tasks:
  /// those that no other task waits for, and then one task of each group of tasks that only wait
  /// for each other.
  ///
  /// - Parameter waits: Returns the tasks that a task waits for.
  package static func roots(of tasks: some Sequence<Int>, waits: (Int) -> [Int]) -> [Int] {
    let tasks = Array(tasks)
    var isAwaited: Set<Int> = []
    for task in tasks {
      for other in waits(task) where other != task { isAwaited.insert(other) }
    }
    var roots: [Int] = []
    var isReached: Set<Int> = []
    for task in tasks.filter({ !isAwaited.contains($0) }) + tasks where !isReached.contains(task) {
      roots.append(task)
      var open = [task]
      while let next = open.popLast() {
        if isReached.insert(next).inserted { open += waits(next) }
      }
    }
    return roots
  }
}
