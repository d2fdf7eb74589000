import CRuntime.OwnProcess
import ReactiveKit
import SwiftRuntime
import SystemLibrary
import TraceFormat

#if os(Linux) && Causes
  import HeapGraph
  import ProcessInspection
  import ProcessMemory
  import TraceCauses
#endif

extension Recorder {
  /// The maximum number of tasks that are written.
  fileprivate static let maxTasks = 1000
  /// The memory that a search needs besides the copies that it makes, in bytes.
  private static let neededMemory = 16 << 20

  /// Writes the tasks that began during the recording and haven't ended, with what can let them
  /// continue. Only tasks that code of the program started are written.
  func recordTasks(limit: Int) {
    #if os(Linux) && Causes
      guard let firstTask,
        MemoryReserve.hasRoom(for: Self.neededMemory + ProcessMemory.neededSpace),
        let newest = TaskNumber.next(), newest > firstTask + 1
      else { return }
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
    let recorder: Recorder
    let firstTask: UInt64
    let limit: Int

    init(recorder: Recorder, firstTask: UInt64, limit: Int) {
      self.recorder = recorder
      self.firstTask = firstTask
      self.limit = limit
    }

    func run() {
      guard let search = TaskSearch(limit: limit) else { return }
      let lives = Dictionary(
        recorder.liveSubscriptions.subscriptions { $0.task != nil }.map { ($0.task ?? 0, $0) },
        uniquingKeysWith: { first, _ in first })
      let recorded = search.tasks.filter {
        !TaskLives.isExiting($0.record.number)
          && ($0.record.number > firstTask || lives[$0.record.number] != nil)
      }
      let functions = recorder.locations.functions(
        at: Set(recorded.flatMap(\.record.code)).sorted())
      let inspected = Dictionary(
        recorded.map { ($0.record.number, InspectedTask($0.record, functions)) },
        uniquingKeysWith: { first, _ in first })
      // A task with a source is one of `Trace.task`. Others can be those of libraries.
      let wanted = recorded.filter { found in
        lives[found.record.number]?.site.source != nil
          || inspected[found.record.number]?.isStartedByUser == true
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
      task.reach = found.outlook.map { UnfinishedTask.Reach($0) }
      task.isCertain = found.isCertain
      let frames = inspected.programFrames
      recorder.write(
        task, id: Int(id.number), parent: record.parent.flatMap(id(ofTaskAt:)),
        place: frames.first { $0.origin == .user || $0.isOptimized } ?? frames.first,
        lane: lane ?? task.name ?? frames.last.flatMap { $0.isOptimized ? $0.source : $0.function }
          ?? "task \(record.number)")
    }
  }

  extension UnfinishedTask {
    fileprivate init(_ task: InspectedTask) {
      self.init(
        number: task.record.number, name: task.record.name,
        priority: UInt64(task.record.status.priority), state: State(task.state),
        wait: task.record.wait.map { Wait($0) })
      if wait == .continuation {
        switch HangFinding.Pause(of: task) {
        case .sleep: pause = .sleep
        case .stream: pause = .stream
        case .promise: pause = .promise
        case .yield, .other: break
        }
      }
      calls = task.programFrames.map {
        Call(function: $0.function ?? $0.offset, source: $0.source)
      }
    }
  }

  extension UnfinishedTask.State {
    fileprivate init(_ state: InspectedTask.State) {
      switch state {
      case .running: self = .running
      case .enqueued: self = .enqueued
      case .waiting: self = .waiting
      case .suspended: self = .suspended
      }
    }
  }

  extension UnfinishedTask.Wait {
    init(_ wait: TaskRecord.Wait) {
      switch wait {
      case .task: self = .task
      case .group: self = .group
      case .continuation: self = .continuation
      case .executor: self = .executor
      }
    }
  }

  extension UnfinishedTask.Reach {
    fileprivate init(_ outlook: TaskReach.Outlook) {
      switch outlook {
      case .open: self = .open
      case .lost(holdsItself: false): self = .lost
      case .lost(holdsItself: true): self = .itself
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
      task.encode(&thread.pointee.line)
      write(thread, at: time)
    }
  }

  extension UnfinishedTask {
    /// Appends the fields of the record `task` to a line, except for those of its subscription.
    fileprivate func encode(_ line: inout LineBuffer) {
      line.integer(.task, Int(clamping: number))
      if let name { line.text(.name, name) }
      line.integer(.priority, Int(clamping: priority))
      line.text(.state, state.rawValue)
      if let wait { line.text(.wait, wait.rawValue) }
      if let pause { line.text(.pause, pause.rawValue) }
      if !awaited.isEmpty { line.objects(.awaits, awaitedMembers) }
      if let canceled { line.integer(.canceled, Int(clamping: canceled)) }
      if let reach {
        line.text(.reach, reach.rawValue)
        let proof: LogFormat.RetentionProof = isCertain ? .certain : .probable
        line.text(.proof, proof.rawValue)
      }
      if !callMembers.isEmpty { line.objects(.calls, callMembers) }
    }
  }
#endif
