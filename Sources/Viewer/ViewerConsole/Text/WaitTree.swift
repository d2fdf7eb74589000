package import TraceFormat

/// The rows of a tree of who waits for whom. A task comes before those that it waits for.
///
/// Tasks are indices. A row has the indentation of a task in the tree.
package struct WaitTree: Sendable {
  package struct Row: Equatable, Sendable {
    package let task: Int
    package let depth: Int
    /// The index of the row of the task that waits for this one; nil at the top.
    package let parent: Int?
    /// A Boolean value that indicates whether the task has an earlier row.
    package let isRepeated: Bool
    /// The tasks that differ from this one only in their numbers and names. They have no rows.
    package fileprivate(set) var others: [Int] = []
  }

  package private(set) var rows: [Row] = []
  /// The last row below each row that has some.
  private var lastChildren: [Int: Int] = [:]

  /// - Parameters:
  ///   - roots: The tasks at which to begin.
  ///   - waits: Returns the tasks that a task waits for.
  ///   - isShown: Returns whether a task has a row. The tasks that a hidden one waits for take its
  ///     place.
  ///   - kind: Returns what a task that doesn't wait for others has in common with equal ones under
  ///     the same row, which is -1 at the top; nil for a task that isn't equal to any other.
  package init<Kind: Hashable>(
    roots: [Int], waits: (Int) -> [Int], isShown: (Int) -> Bool,
    kind: (_ task: Int, _ parent: Int) -> Kind?
  ) {
    var placed: Set<Int> = []
    var entered: Set<Int> = []
    /// The rows of tasks that wait for no other, by what they have in common.
    var leaves: [Kind: Int] = [:]
    for root in roots {
      var open = [(task: root, depth: 0, parent: -1)]
      while let (task, depth, parent) = open.popLast() {
        let waits = waits(task)
        var next = (depth, parent)
        if isShown(task) {
          let kind = waits.isEmpty ? kind(task, parent) : nil
          if let kind, let row = leaves[kind], !placed.contains(task) {
            rows[row].others.append(task)
          } else {
            if let kind { leaves[kind] = rows.count }
            next = (depth + 1, rows.count)
            if parent >= 0 { lastChildren[parent] = rows.count }
            rows.append(
              Row(
                task: task, depth: depth, parent: parent < 0 ? nil : parent,
                isRepeated: placed.contains(task)))
          }
          placed.insert(task)
        }
        guard entered.insert(task).inserted else { continue }
        open += waits.reversed().filter { $0 != task }.map { ($0, next.0, next.1) }
      }
    }
  }

  /// Returns whether a row closes a circle: its task is one of those that lead to the row.
  package func closesCircle(_ row: Int) -> Bool {
    var next = rows[row].parent
    while let above = next {
      if rows[above].task == rows[row].task { return true }
      next = rows[above].parent
    }
    return false
  }

  /// Returns the lines before a row, one for each level below the top.
  package func branches(before row: Int) -> [TreeBranch] {
    var branches: [TreeBranch] = []
    var next = row
    while let parent = rows[next].parent {
      let isLast = lastChildren[parent] == next
      branches.append(next == row ? isLast ? .last : .fork : isLast ? .none : .line)
      next = parent
    }
    return branches.reversed()
  }
}

/// The words for what a task does.
package enum WaitWords {
  package static let runs = "runs"
  package static let group = "waits for a child of its group"
  package static let turn = "waits for its turn"
  package static let thread = "waits for a thread"
  /// The words for a task that waits, if it isn't known for what.
  package static let unknown = "is suspended"

  /// Returns the words for a task that waits for a continuation.
  ///
  /// - Parameter pause: What the task does in the meantime, if that is known.
  package static func continuation(_ pause: UnfinishedTask.Pause?) -> String {
    switch pause {
    case .sleep: "sleeps"
    case .stream: "waits for the next element of a stream"
    case .promise: "waits for the result of a promise"
    case .yield: "lets other tasks run"
    case nil: "waits for a continuation"
    }
  }
}
