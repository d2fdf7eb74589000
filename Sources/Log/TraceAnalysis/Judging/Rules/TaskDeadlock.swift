import TraceFormat

/// A rule that finds tasks that wait for each other's ends.
struct TaskDeadlock: Rule {
  static let id = "task-deadlock"

  var id: String { Self.id }
  var level: RuleLevel { .error }

  var summary: String {
    "Tasks wait for each other's ends in a circle."
  }

  var advice: String {
    "Don't wait for a task that waits for this one. Pass its result in another way."
  }

  var explanation: String {
    """
    A task waits for the end of another task, which waits for the end of the first one, directly \
    or through others. A task can also wait for itself, for example through a property in which \
    it is stored. None of them can ever continue. Cancellation doesn't help, because the wait for \
    the value of a task can't be interrupted.

    The finding names the line of the await, and the tasks of the circle. Break one of the waits: \
    let one task send its result through a stream or a continuation, or don't store a task where \
    it finds itself.
    """
  }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    let tasks = Dictionary(
      log.judgedTasks.filter { $0.task.reach == .circle }.map { ($0.index, $0.task) },
      uniquingKeysWith: { first, _ in first })
    let awaited = tasks.reduce(into: [Int: [Int]]()) { awaited, entry in
      awaited[entry.key] = entry.value.awaited.compactMap {
        log.index(of: $0, log: log.log(of: entry.key))
      }.filter { tasks[$0] != nil }
    }
    var isReported: Set<Int> = []
    return tasks.keys.sorted().compactMap { first in
      guard !isReported.contains(first), let circle = circle(from: first, awaited) else {
        return nil
      }
      isReported.formUnion(circle)
      let others = circle.filter { $0 != first }
      let message: FindingMessage =
        others.isEmpty
        ? "waits for its own end"
        : "waits for the end of \(count: others.count, "other task"), which waits for its end"
      return Finding(
        self, first, others: others, .always,
        tasks[first].map { log.message(message, first, $0) } ?? message)
    }
  }

  /// Returns the tasks that a task waits for and that wait for it.
  private func circle(from first: Int, _ awaited: [Int: [Int]]) -> [Int]? {
    func reached(from start: Int) -> Set<Int> {
      var reached: Set<Int> = []
      var open = awaited[start] ?? []
      while let next = open.popLast() {
        if reached.insert(next).inserted { open += awaited[next] ?? [] }
      }
      return reached
    }
    let ahead = reached(from: first)
    guard ahead.contains(first) else { return nil }
    return ahead.filter { reached(from: $0).contains(first) }.sorted()
  }
}
