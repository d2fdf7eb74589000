package import TraceFormat

/// The rows of a tree of who waits for whom. A task comes before those that it waits for.
///
/// Tasks are indices. A row has the indentation of a task in the tree. Tasks that are alike, and
/// wait for tasks that are alike, share a row.
package struct WaitTree: Sendable {
  package struct Row: Equatable, Sendable {
    package let task: Int
    package let depth: Int
    /// The index of the row of the task that waits for this one; nil at the top.
    package let parent: Int?
    /// A Boolean value that indicates whether the task has an earlier row.
    package let isRepeated: Bool
    /// The tasks like this one that wait for the same, or that the same task waits for. Neither
    /// they nor the tasks that they wait for have rows.
    package let others: [Int]
    /// The number of tasks like this one: the other ones, and those that their records describe.
    package let likeCount: Int
    /// The number of tasks that have no other row: this one, those like it, and the tasks that
    /// only those wait for.
    package let count: Int
  }

  package private(set) var rows: [Row] = []
  /// The last row below each row that has some.
  private var lastChildren: [Int: Int] = [:]

  /// - Parameters:
  ///   - roots: The tasks at which to begin.
  ///   - waits: Returns the tasks that a task waits for.
  ///   - isShown: Returns whether a task has a row. The tasks that a hidden one waits for take its
  ///     place.
  ///   - count: Returns the number of tasks that the record of a task describes.
  ///   - kind: Returns what a task has in common with those like it, apart from the tasks that it
  ///     waits for; nil for a task that is like no other.
  package init<Kind: Hashable>(
    roots: [Int], waits: (Int) -> [Int], isShown: (Int) -> Bool, count: (Int) -> Int = { _ in 1 },
    kind: (_ task: Int) -> Kind?
  ) {
    var shapes = WaitShapes<Kind>()
    for root in roots { shapes.add(root, waits, isShown, kind) }
    // The tasks with rows or like those, and those that rows stand for.
    var placed: Set<Int> = []
    var counted: Set<Int> = []
    var open: [(tasks: [Int], depth: Int, parent: Int?)] = []
    func push(_ tasks: [Int], _ depth: Int, _ parent: Int?) {
      open += shapes.groups(of: shapes.shown(tasks)).reversed().map { ($0, depth, parent) }
    }
    push(roots, 0, nil)
    while let (tasks, depth, parent) = open.popLast() {
      let new = tasks.filter { !placed.contains($0) }
      let task = new.first ?? tasks[0]
      let others = new.dropFirst()
      placed.formUnion(new)
      let isNew = counted.insert(task).inserted
      let own = count(task)
      let total = others.reduce(isNew ? own : 0) { $0 + shapes.count($1, &counted, count) }
      if let parent { lastChildren[parent] = rows.count }
      rows.append(
        Row(
          task: task, depth: depth, parent: parent, isRepeated: new.isEmpty,
          others: Array(others), likeCount: others.reduce(own - 1) { $0 + count($1) },
          count: total))
      if !new.isEmpty { push(shapes.waits[task] ?? [], depth + 1, rows.count - 1) }
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

/// The shapes of the trees below tasks. Two tasks with the same shape are alike, and wait for equal
/// numbers of tasks with the same shapes.
private struct WaitShapes<Kind: Hashable> {
  private enum Shape: Hashable {
    case like(Kind, [Int])
    case hidden([Int])
    /// A task that is like no other, or that is on a circle.
    case unique(Int)
  }

  private var numbers: [Shape: Int] = [:]
  /// The number of the shape of each task. It is nil until all tasks below are known.
  private var shapes: [Int: Int?] = [:]
  /// The other tasks that each task waits for.
  private(set) var waits: [Int: [Int]] = [:]
  private var hidden: Set<Int> = []

  /// Finds the shapes of a task and of all tasks below it.
  mutating func add(
    _ root: Int, _ next: (Int) -> [Int], _ isShown: (Int) -> Bool, _ kind: (Int) -> Kind?
  ) {
    var open = [root]
    while let task = open.last {
      guard let below = waits[task] else {
        let below = next(task).filter { $0 != task }
        waits[task] = below
        shapes[task] = .some(nil)
        if !isShown(task) { hidden.insert(task) }
        open += below.filter { waits[$0] == nil }
        continue
      }
      open.removeLast()
      guard shapes[task] == .some(nil) else { continue }
      let known = below.compactMap { shapes[$0] ?? nil }.sorted()
      let shape: Shape =
        if known.count < below.count {
          .unique(task)
        } else if hidden.contains(task) {
          .hidden(known)
        } else {
          kind(task).map { .like($0, known) } ?? .unique(task)
        }
      let number = numbers[shape] ?? numbers.count
      numbers[shape] = number
      shapes[task] = number
    }
  }

  /// Returns tasks that are shown, each once: those of a list, and the ones that the hidden tasks
  /// among them wait for.
  func shown(_ tasks: [Int]) -> [Int] {
    guard tasks.contains(where: hidden.contains) else { return tasks }
    var shown: [Int] = []
    var seen: Set<Int> = []
    var open = Array(tasks.reversed())
    while let task = open.popLast() {
      guard seen.insert(task).inserted else { continue }
      if hidden.contains(task) {
        open += (waits[task] ?? []).reversed()
      } else {
        shown.append(task)
      }
    }
    return shown
  }

  /// Returns tasks divided by their shapes, in their order.
  func groups(of tasks: [Int]) -> [[Int]] {
    var groups: [[Int]] = []
    var known: [Int?: Int] = [:]
    for task in tasks {
      let shape = shapes[task] ?? nil
      if let number = known[shape] {
        groups[number].append(task)
      } else {
        known[shape] = groups.count
        groups.append([task])
      }
    }
    return groups
  }

  /// Adds a task and all tasks below it to a set. Returns the number of new ones that are shown.
  func count(_ task: Int, _ counted: inout Set<Int>, _ count: (Int) -> Int) -> Int {
    var total = 0
    var open = [task]
    while let next = open.popLast() {
      guard counted.insert(next).inserted else { continue }
      if !hidden.contains(next) { total += count(next) }
      open += waits[next] ?? []
    }
    return total
  }
}
