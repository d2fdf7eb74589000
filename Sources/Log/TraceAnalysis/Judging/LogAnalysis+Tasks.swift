import TraceFormat

extension LogAnalysis {
  /// Returns a message with the place where a task waits, unless its site is that place.
  func message(_ words: FindingMessage, _ index: Int, _ task: UnfinishedTask) -> FindingMessage {
    guard let source = task.calls.first?.source, source != lifecycles[index].site.source else {
      return words
    }
    return "\(words) at \(source)"
  }

  /// The tasks that hadn't ended and that weren't declared to live until exit.
  var judgedTasks: [(index: Int, task: UnfinishedTask)] {
    guard logs.contains(where: { !$0.tasks.isEmpty }) else { return [] }
    return lifecycles.positions { $0.isTask && $0.isActive && !$0.livesUntilExit }.compactMap {
      index in unfinishedTask(of: index).map { (index, $0) }
    }
  }
}
