import ProcessMemory
@_exported public import TraceFormat

/// Lists the tasks of this process, with what they wait for and where.
///
/// It works in every program that uses Swift concurrency, on Linux. The tasks don't have to be
/// created in a special way. Nothing is recorded before a list is requested, so a program that
/// never requests one isn't slowed down.
///
/// ```swift
/// for task in try TaskInspector.tasks() where task.isCancelled {
///   print(task)
/// }
/// ```
public enum TaskInspector {
  /// Returns all tasks of this process that haven't ended, sorted by their numbers.
  ///
  /// The list is made from copies of the memory of this process. It takes no locks and stops no
  /// threads. Tasks that start or end during the call may be missing, and a task that runs during
  /// the whole call has no functions. You can call this method on any thread. It takes longer for
  /// more memory, and it reads the debug information of the program once.
  ///
  /// - Parameter limit: The maximum time for the list. Functions and lines that aren't found in
  ///   time are missing.
  /// - Throws: ``TaskInspectionError`` if the tasks can't be found reliably.
  public static func tasks(
    limit: Duration = .seconds(2)
  ) throws(TaskInspectionError) -> [RunningTask] {
    #if os(Linux)
      let nanoseconds = Int(clamping: Int64(limit / .nanoseconds(1)))
      let canary = Canary.verified ? nil : Canary()
      defer { canary?.release() }
      let tasks: [InspectedTask]
      let isComplete: Bool
      do throws(TaskCensus.Refusal) {
        (tasks, isComplete) = try InspectedTask.ofThisProcess(within: nanoseconds)
      } catch {
        switch error {
        case .unreadable: throw TaskInspectionError(.unreadable)
        case .noRuntime: throw TaskInspectionError(.unknownRuntime(layout: nil))
        case .unknownLayout(let version, _):
          throw TaskInspectionError(.unknownRuntime(layout: version))
        }
      }
      guard isComplete else { throw TaskInspectionError(.timedOut) }
      if let canary { try canary.verify(tasks.map(\.record)) }
      return RunningTask.all(tasks).filter { !Canary.isName($0.name) }
    #else
      throw TaskInspectionError(.unsupportedPlatform)
    #endif
  }
}
