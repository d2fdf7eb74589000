import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat

extension Recorder {
  /// The maximum number of tasks that are written.
  private static let maxTasks = 1000
  /// The memory that a search needs besides the copies that it makes, in bytes.
  private static let neededMemory = 16 << 20
  private static let memoryOfTask = 1 << 20
  private static let stackOfTask = 64 << 10

  /// Writes the tasks that began during the recording and haven't ended, with what can let them
  /// continue. Only tasks that code of the program started are written.
  ///
  /// - Parameter hasStack: Whether the calling thread has enough stack left for a search.
  func recordTasks(limit: Int, hasStack: Bool) {
    #if os(Linux)
      guard let firstTask, let search = Causes.search else { return }
      let hasMemory = MemoryReserve.hasRoom(for: Self.neededMemory + search.neededMemory)
      // The newest number is that of a new task, which needs memory, too.
      if StackRoom.left.map({ $0 > Self.stackOfTask }) == true,
        hasMemory || MemoryReserve.hasRoom(for: Self.memoryOfTask)
      {
        guard let newest = TaskNumber.next(), newest > firstTask + 1 else { return }
      }
      guard hasMemory, hasStack else { return taskLimit.store(.memory, ordering: .relaxed) }
      var lives: [UInt64: TracedSubscription] = [:]
      let list = search.unfinishedTasks(
        TaskRequest(
          limit: limit, maxCount: Self.maxTasks, firstTask: firstTask,
          lanes: {
            lives = self.taskLives
            return lives.mapValues { $0.site.source != nil }
          },
          isExiting: { TaskLives.isExiting($0) },
          functions: { addresses, limit in
            let known = self.locations.functions(at: addresses, limit: limit)
            return (known, self.locations.functionLimit)
          }))
      if let limit = list.limit { taskLimit.store(TaskLimit(limit), ordering: .relaxed) }
      write(list, lives)
    #endif
  }

  /// The subscriptions of tasks, by the numbers of the tasks.
  private var taskLives: [UInt64: TracedSubscription] {
    Dictionary(
      liveSubscriptions.subscriptions { $0.task != nil }.map { ($0.task ?? 0, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  private func write(_ list: TaskList, _ lives: [UInt64: TracedSubscription]) {
    var ids: [UInt64: SubscriptionID] = [:]
    for task in list.tasks {
      let number = task.facts.number
      ids[number] = SubscriptionID(known: UInt64(lives[number]?.id ?? subscriptions.next()))
    }
    for task in list.tasks {
      guard let id = ids[task.facts.number] else { continue }
      var facts = task.facts
      facts.awaited = task.awaited.compactMap { ids[$0] }
      write(
        facts, id: Int(id.number), parent: task.parent.flatMap { ids[$0] }, place: task.place,
        lane: lives[facts.number]?.site.lane ?? task.lane)
    }
  }

  /// Writes a task that hasn't ended.
  private func write(
    _ task: UnfinishedTask, id: Int, parent: SubscriptionID?, place: CodeLocation?,
    lane: String
  ) {
    let time = clock.now
    guard let thread = enter() else { return }
    thread.pointee.line.begin(at: time, .task)
    thread.pointee.line.integer(.sub, id)
    thread.pointee.line.text(.lane, lane)
    if let source = place?.source { thread.pointee.line.text(.source, source) }
    if let function = place?.function { thread.pointee.line.text(.function, function) }
    if let parent { thread.pointee.line.integer(.parent, Int(clamping: parent.number)) }
    for (key, value) in task.members() {
      switch value {
      case .integer(let integer):
        thread.pointee.line.integer(EncodedKey(key), Int(clamping: integer))
      case .text(let text): thread.pointee.line.text(EncodedKey(key), text)
      case .objects(let objects): thread.pointee.line.objects(EncodedKey(key), objects)
      }
    }
    write(thread, at: time)
  }
}
