import CRuntime.OwnProcess
import CodeLocations
import HeapGraph
import ProcessMemory
import SystemLibrary
import TaskInspection
import TraceFormat

/// The explanations of why tasks are alive.
enum TaskRetentions {
  /// The maximum number of tasks that one search explains.
  private static let maxCount = 200

  /// Explains why tasks are alive. Tasks without an explanation are missing.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the tasks.
  ///   - limit: The maximum time, in nanoseconds.
  static func explain(numbers: [UInt64], limit: Int) -> [UInt64: Retention] {
    #if os(Linux)
      let deadline = LogClock.monotonic() + limit - limit / 10
      guard let (tasks, _) = try? InspectedTask.ofThisProcess(within: limit / 4),
        let explainer = Explainer(
          [], frame: UInt(bitPattern: trace_frame_address()), deadline: deadline)
      else { return [:] }
      let wanted = Set(numbers.prefix(maxCount))
      let targets = tasks.filter { wanted.contains($0.record.number) }.map { task in
        SearchedSubscription(
          id: Int(clamping: task.record.number), lane: "", chain: task.record.address,
          subject: .task, hasEnded: { false })
      }
      let answers = explainer.explain(targets)
      let describer = PathDescriber(explainer, Array(answers.values)) { addresses in
        let names = CodeNames()
        _ = names.lookUp(stacks: [], functions: addresses)
        return names.knownFunctions(at: addresses)
      }
      let retentions = targets.compactMap { target in
        answers[target.id].map { (UInt64(target.id), describer.retention($0, of: target)) }
      }
      return Dictionary(retentions, uniquingKeysWith: { first, _ in first })
    #else
      return [:]
    #endif
  }
}
