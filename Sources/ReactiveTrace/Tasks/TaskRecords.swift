import CRuntime.OwnProcess
import ReactiveKit
import SwiftRuntime
import Synchronization
import SystemLibrary
import TraceFormat

#if os(Linux) && Causes
  import HeapGraph
  import ProcessMemory
  import TaskInspection
  import TraceCauses
#endif

extension Recorder {
  /// The maximum number of tasks that are written.
  fileprivate static let maxTasks = 1000
  /// The memory that a search needs besides the copies that it makes, in bytes.
  private static let neededMemory = 16 << 20
  private static let memoryOfTask = 1 << 20
  private static let stackOfTask = 64 << 10

  /// Writes the tasks that began during the recording and haven't ended, with what can let them
  /// continue. Only tasks that code of the program started are written.
  ///
  /// - Parameter hasStack: Whether the calling thread has enough stack left for a search.
  func recordTasks(limit: Int, hasStack: Bool) {
    #if os(Linux) && Causes
      guard let firstTask else { return }
      let hasMemory = MemoryReserve.hasRoom(for: Self.neededMemory + ProcessMemory.neededSpace)
      // The newest number is that of a new task, which needs memory, too.
      if StackRoom.left.map({ $0 > Self.stackOfTask }) == true,
        hasMemory || MemoryReserve.hasRoom(for: Self.memoryOfTask)
      {
        guard let newest = TaskNumber.next(), newest > firstTask + 1 else { return }
      }
      guard hasMemory, hasStack else {
        return taskLimit.store(.memory, ordering: .relaxed)
      }
      let work = TaskRecording(recorder: self, firstTask: firstTask, limit: limit)
      // The values in the registers of this thread count, too.
      trace_with_registers(
        { $0.map { Unmanaged<TaskRecording>.fromOpaque($0).takeUnretainedValue().run() } },
        Unmanaged.passUnretained(work).toOpaque())
    #endif
  }
}

#if os(Linux) && Causes
  /// The writing of the tasks of one log.
  private final class TaskRecording {
    /// The time that looking up the functions of tasks may always take, in nanoseconds.
    private static let minNaming = 1_000_000_000

    let recorder: Recorder
    let firstTask: UInt64
    let limit: Int

    init(recorder: Recorder, firstTask: UInt64, limit: Int) {
      self.recorder = recorder
      self.firstTask = firstTask
      self.limit = limit
    }

    func run() {
      let search: TaskSearch
      do throws(TaskSearch.Refusal) {
        search = try TaskSearch(limit: limit)
      } catch {
        return recorder.taskLimit.store(TaskLimit(error.limit), ordering: .relaxed)
      }
      let lives = Dictionary(
        recorder.liveSubscriptions.subscriptions { $0.task != nil }.map { ($0.task ?? 0, $0) },
        uniquingKeysWith: { first, _ in first })
      let recorded = search.tasks.filter {
        !TaskLives.isExiting($0.record.number)
          && ($0.record.number > firstTask || lives[$0.record.number] != nil)
      }
      let functions = recorder.locations.functions(
        at: Set(recorded.flatMap(\.record.code)).sorted(), limit: max(limit / 2, Self.minNaming))
      let inspected = Dictionary(
        recorded.map { ($0.record.number, InspectedTask($0.record, functions)) },
        uniquingKeysWith: { first, _ in first })
      // A task with a source is one of `Trace.task`. Others can be those of libraries.
      let wanted = recorded.filter { found in
        lives[found.record.number]?.site.source != nil
          || inspected[found.record.number]?.isStartedByUser == true
      }
      // A task isn't written if its functions, and so who started it, aren't known.
      let mayBeStuck = { (found: TaskSearch.Found) in found.isSuspicious || found.mayBeStuck }
      if let limit = recorder.locations.functionLimit,
        recorded.count(where: mayBeStuck) > wanted.count(where: mayBeStuck)
      {
        recorder.taskLimit.store(TaskLimit(limit), ordering: .relaxed)
      }
      // Tasks that can't continue come first, in case that there are too many.
      let chosen = (wanted.filter(\.isSuspicious) + wanted.filter { !$0.isSuspicious })
        .prefix(Recorder.maxTasks)
      var ids: [UInt64: SubscriptionID] = [:]
      for found in chosen {
        let number = found.record.number
        let id = lives[number]?.id ?? recorder.subscriptions.next()
        ids[number] = SubscriptionID(known: UInt64(id))
      }
      if let limit = search.limit, chosen.contains(where: \.mayBeStuck) {
        recorder.taskLimit.store(TaskLimit(limit), ordering: .relaxed)
      }
      let waits = TaskWaits(search.tasks.map(\.record))
      for found in chosen {
        guard let task = inspected[found.record.number] else { continue }
        let lane = lives[found.record.number]?.site.lane
        write(
          found, task, ids, waits, lane: lane, canceled: search.canceledTimes[found.record.number])
      }
    }

    private func write(
      _ found: TaskSearch.Found, _ inspected: InspectedTask, _ ids: [UInt64: SubscriptionID],
      _ waits: TaskWaits,
      lane: String?, canceled: Int?
    ) {
      let record = found.record
      guard let id = ids[record.number] else { return }
      func id(ofTaskAt address: UInt) -> SubscriptionID? {
        waits.index(ofTaskAt: address).flatMap { ids[waits.tasks[$0].number] }
      }
      var task = UnfinishedTask(inspected)
      if let index = waits.index(ofTaskAt: record.address) {
        task.awaited = waits.waits(of: index).compactMap { ids[waits.tasks[$0].number] }
      }
      if record.status.isCancelled { task.canceled = UInt64(max(0, canceled ?? 0)) }
      if found.outlook == .itself(isStream: true) { task.pause = .stream }
      task.reach = found.outlook.map { UnfinishedTask.Reach($0) }
      task.isCertain = found.isCertain
      let frames = inspected.programFrames
      task.calls = frames.map {
        UnfinishedTask.Call(function: $0.function ?? $0.offset, source: $0.source)
      }
      recorder.write(
        task, id: Int(id.number), parent: record.parent.flatMap(id(ofTaskAt:)),
        place: frames.first { $0.origin == .user || $0.isOptimized } ?? frames.first,
        lane: lane ?? task.name ?? frames.last.flatMap { $0.isOptimized ? $0.source : $0.function }
          ?? "task \(record.number)")
    }
  }

  extension UnfinishedTask.Reach {
    fileprivate init(_ outlook: TaskReach.Outlook) {
      switch outlook {
      case .open: self = .open
      case .lost: self = .lost
      case .itself: self = .itself
      case .dependent: self = .dependent
      case .deadlocked: self = .circle
      }
    }
  }

  extension Recorder {
    /// Writes a task that hasn't ended.
    fileprivate func write(
      _ task: UnfinishedTask, id: Int, parent: SubscriptionID?, place: InspectedFrame?,
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
#endif
