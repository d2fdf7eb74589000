import TraceFormat

extension LogAnalysis {
  /// Returns a message with the place where a task waits, unless its site is that place.
  func message(_ words: FindingMessage, _ index: Int, _ task: UnfinishedTask) -> FindingMessage {
    guard let source = task.calls.first?.source, source != lifecycles[index].site.source else {
      return words
    }
    return "\(words) at \(source)"
  }

  /// Returns the indices of findings about tasks that wait for an element of a subscription, in
  /// ascending order, if another finding is about that subscription. It is one mistake, and the
  /// subscription is what it is about.
  func repeatedTasks(_ findings: [Finding]) -> [Int] {
    let tasks = findings.indices.filter { findings[$0].rule == TaskLeak.id }
    guard !tasks.isEmpty else { return [] }
    var places: Set<PlaceInLog> = []
    for finding in findings where DistinctLeaks.rules.contains(finding.rule) && finding.isProven {
      for index in finding.members {
        let lifecycle = lifecycles[index]
        guard let source = observed(of: lifecycle)?.source else { continue }
        places.insert(PlaceInLog(log: lifecycle.log, source: source))
      }
    }
    return tasks.filter { index in
      let log = lifecycles.activity(at: findings[index].lifecycle).log
      return unfinishedTask(of: findings[index].lifecycle)?.calls.contains { call in
        call.source.map { places.contains(PlaceInLog(log: log, source: $0)) } ?? false
      } ?? false
    }
  }

  private struct PlaceInLog: Hashable {
    let log: Int32
    let source: String
  }

  /// The tasks that hadn't ended and that weren't declared to live until exit.
  var judgedTasks: [(index: Int, task: UnfinishedTask)] {
    guard logs.contains(where: { !$0.tasks.isEmpty }) else { return [] }
    return lifecycles.positions { $0.isTask && $0.isActive && !$0.livesUntilExit }.compactMap {
      index in unfinishedTask(of: index).map { (index, $0) }
    }
  }
}
