@_exported public import TraceFormat

extension Trace {
  /// Starts a task whose life is a lane of the log: where and by whom it was started, and whether
  /// it ended, failed or was canceled.
  ///
  ///     Trace.task("search.request") {
  ///       await store.load(query)
  ///     }
  ///
  /// A task that hasn't ended when the log ends also has a record with what it waits for. The rules
  /// of `trace-viewer check` judge it. A traced task that another traced task starts, also through
  /// a group, is shown below it.
  ///
  /// If tracing is off, this function only makes the task.
  ///
  /// Without a name, the source location names the lane. A task with the lifetime `.process` is
  /// meant to run until the program exits, so the rules don't report it.
  @discardableResult
  public static func task<Success: Sendable>(
    _ name: String? = nil, lifetime: Lifetime = .normal, priority: TaskPriority? = nil,
    file: String = #fileID, function: String = #function, line: Int = #line,
    @_inheritActorContext @_implicitSelfCapture operation:
      sending @escaping @isolated(any) () async -> Success
  ) -> Task<Success, Never> {
    guard
      let life = TaskLife(name, lifetime, file: file, function: function, line: line)
    else { return Task(name: name, priority: priority, operation: operation) }
    life.beginStarting()
    defer { life.endStarting() }
    return Task(name: name, priority: priority) { await life.run(operation) }
  }

  /// Starts a task that can throw, and whose life is a lane of the log. Otherwise, this function
  /// behaves like the one for tasks that don't throw.
  @discardableResult
  public static func task<Success: Sendable>(
    _ name: String? = nil, lifetime: Lifetime = .normal, priority: TaskPriority? = nil,
    file: String = #fileID, function: String = #function, line: Int = #line,
    @_inheritActorContext @_implicitSelfCapture operation:
      sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    guard
      let life = TaskLife(name, lifetime, file: file, function: function, line: line)
    else { return Task(name: name, priority: priority, operation: operation) }
    life.beginStarting()
    defer { life.endStarting() }
    return Task(name: name, priority: priority) { try await life.run(operation) }
  }
}

extension Trace {
  /// Describes a task that hasn't ended, with what keeps it alive.
  @dynamicMemberLookup
  public struct ActiveTask: Sendable, Identifiable, CustomStringConvertible {
    /// The task with its state, its relatives and its calls.
    public let task: RunningTask
    /// What keeps the task alive. Nil if that wasn't requested, or if time ran out.
    public let retention: Explanation?

    public var id: UInt64 { task.id }

    public subscript<Value>(dynamicMember path: KeyPath<RunningTask, Value>) -> Value {
      task[keyPath: path]
    }

    /// The task, and what keeps it alive, on several lines.
    public var description: String {
      guard let retention, !retention.steps.isEmpty else { return task.description }
      return task.description + "\n" + retention.description
    }
  }

  /// Returns all tasks of this process that haven't ended, sorted by their numbers.
  ///
  ///     for task in try Trace.tasks() where task.isCancelled {
  ///       print(task)
  ///     }
  ///
  /// This works whether or not tracing is on, on Linux. It searches copies of the memory of the
  /// process, without a lock and without stopping a thread. `TaskInspector.tasks` of the
  /// product `TaskInspection` has the details.
  ///
  /// - Parameters:
  ///   - explaining: Whether to search for what keeps each task alive. That takes several times
  ///     as long.
  ///   - limit: The maximum time for the list, and again for the explanations.
  /// - Throws: `TaskInspectionError` if the tasks can't be found reliably.
  public static func tasks(
    explaining: Bool = false, limit: Duration = .seconds(2)
  ) throws(TaskInspectionError) -> [ActiveTask] {
    guard let search = Causes.search else { throw TaskInspectionError(.withoutCauses) }
    let tasks = try search.tasks(limit: limit)
    let retentions =
      explaining && LeakExplanations.mayBegin && LeakExplanations.hasStack
      ? search.explainTasks(tasks.map(\.id), limit: limit.inNanoseconds) : [:]
    return tasks.map {
      ActiveTask(task: $0, retention: retentions[$0.id].map { Explanation($0) })
    }
  }
}
