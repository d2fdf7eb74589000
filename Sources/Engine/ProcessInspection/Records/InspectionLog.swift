import ProcessMemory
import SwiftRuntime
import SystemLibrary
import TaskInspection
package import TraceFormat

/// An inspection as a log, so that it is shown and exported like the tasks of a log that a process
/// wrote.
package struct InspectionLog {
  private typealias Key = LogFormat.Key

  private let inspection: Inspection
  private let history: InspectionHistory?
  private let groups: AlikeTasks

  /// - Parameters:
  ///   - history: The inspections until now, if there are several. The time of a record of a task
  ///     or a thread is then that since which it has been in the same place.
  ///   - isFull: A Boolean value that indicates whether each task has a record, even if many are
  ///     alike.
  package init(_ inspection: Inspection, history: InspectionHistory? = nil, isFull: Bool = true) {
    self.inspection = inspection
    self.history = history
    groups = AlikeTasks(inspection, isFull: isFull)
  }

  /// The lines of the log.
  package var bytes: [UInt8] {
    let starts =
      inspection.tasks.map { history?.start(of: $0) ?? 0 }
      + inspection.threads.map { history?.start(of: $0) ?? 0 }
    let now = history?.now ?? 0
    let first = starts.min() ?? now
    var lines = [HeaderLine.bytes(identity), process]
    // Those that have been in the same place for the longest time come first.
    let order = starts.indices.filter { groups.hasRecord($0) }
      .sorted { (starts[$0], $0) < (starts[$1], $1) }
    for index in order {
      let time = starts[index] - first
      let thread = index - inspection.tasks.count
      lines.append(
        thread < 0 ? task(index, at: time) : stack(inspection.threads[thread], at: time))
    }
    lines += inspection.findings.map { hang($0, at: now - first) }
    let count = lines.count
    lines.append(
      LogFormat.Event.end.line(at: now - first) { json in
        json.integer(Key.records.rawValue, count)
        json.integer(Key.lost.rawValue, 0)
      })
    return Array(lines.joined())
  }

  private var identity: LogIdentity {
    LogIdentity(about: inspection.process.process, named: inspection.process.programName)
  }

  private var process: [UInt8] {
    LogFormat.Event.process.line(at: 0) { json in
      let version: UInt32?
      let list: InspectedProcess.TaskList
      switch inspection.taskList {
      case .found(let isComplete): (version, list) = (nil, isComplete ? .complete : .incomplete)
      case .noRuntime: (version, list) = (nil, .noRuntime)
      case .unknownLayout(let layout): (version, list) = (layout, .unknownLayout)
      case .unread: (version, list) = (nil, .unread)
      }
      if let version { json.integer(Key.version.rawValue, version) }
      json.integer(Key.parent.rawValue, inspection.process.parent)
      json.integer(Key.count.rawValue, inspection.missingThreads)
      json.string(Key.state.rawValue, list.rawValue)
      json.array(Key.command.rawValue) { json in
        for word in inspection.process.command { json.string(nil, word) }
      }
      if let tracer = inspection.tracer { json.integer(Key.tracer.rawValue, tracer) }
    }
  }

  private func number(of task: Int) -> UInt64 { inspection.tasks[task].record.number }

  private func task(_ index: Int, at time: Int) -> [UInt8] {
    let task = inspection.tasks[index]
    var facts = UnfinishedTask(task)
    facts.calls = .list(task.frames, task.record.gap)
    facts.awaited = groups.withRecords(inspection.waits.waits(of: index)).compactMap {
      SubscriptionID(number(of: $0))
    }
    facts.count = groups.count(of: index)
    if task.record.status.isCancelled { facts.canceled = 0 }
    let isOfCycle = inspection.findings.contains {
      $0.cause == .taskCycle && $0.tasks.contains(index)
    }
    if isOfCycle || task.hasLostContinuation, !task.hasMoved {
      facts.reach = isOfCycle ? .circle : .lost
      facts.isCertain = true
    }
    return LogFormat.Event.task.line(at: time) { json in
      json.integer(Key.sub.rawValue, task.record.number)
      let outermost = task.frames.last { $0.origin == .user }?.function
      json.string(
        Key.lane.rawValue, task.record.name ?? outermost ?? "task \(task.record.number)")
      place(task.frames.place, &json)
      if let parent = task.record.parent.flatMap({ inspection.waits.index(ofTaskAt: $0) }) {
        json.integer(Key.parent.rawValue, number(of: parent))
      }
      for (key, value) in facts.members(maxCount: .max) { json.write(key, value) }
    }
  }

  private func stack(_ thread: InspectedThread, at time: Int) -> [UInt8] {
    LogFormat.Event.stack.line(at: time) { json in
      if let task = thread.task { json.integer(Key.sub.rawValue, number(of: task)) }
      json.integer(Key.thread.rawValue, thread.thread)
      place(thread.frames.place, &json)
      if !thread.name.isEmpty { json.string(Key.name.rawValue, thread.name) }
      if let object = thread.activity.object { json.string(Key.on.rawValue, object) }
      json.string(Key.kind.rawValue, thread.activity.kind.rawValue)
      if let holder = thread.activity.holder { awaits([], [holder], &json) }
      if let process = thread.activity.process { json.integer(Key.pid.rawValue, process) }
      calls(.list(thread.frames, thread.gap), &json)
      if thread.hasMoved { json.integer(Key.moved.rawValue, 1) }
    }
  }

  private func hang(_ finding: HangFinding, at time: Int) -> [UInt8] {
    LogFormat.Event.hang.line(at: time) { json in
      if let test = finding.test { json.string(Key.name.rawValue, test.name) }
      if case .executor(let type?) = finding.cause { json.string(Key.on.rawValue, type) }
      if case .blockedPool(let queue?) = finding.cause { json.string(Key.on.rawValue, queue) }
      json.string(Key.kind.rawValue, finding.cause.word.rawValue)
      let proof: LogFormat.RetentionProof = finding.isProven ? .certain : .probable
      json.string(Key.proof.rawValue, proof.rawValue)
      if case .continuation(let pause?) = finding.cause {
        json.string(Key.pause.rawValue, pause.rawValue)
      }
      awaits(groups.withRecords(finding.tasks).map(number), finding.threads, &json)
      calls(.list(finding.places, nil), &json)
    }
  }

  private func place(_ frame: InspectedFrame?, _ json: inout JSONWriter) {
    guard let frame else { return }
    if let source = frame.source { json.string(Key.source.rawValue, source) }
    json.string(Key.function.rawValue, frame.function ?? frame.offset)
  }

  private func awaits(_ tasks: [UInt64], _ threads: [Int32], _ json: inout JSONWriter) {
    guard !tasks.isEmpty || !threads.isEmpty else { return }
    let tasks = tasks.map { id -> RecordObject in [(.sub, .integer(id))] }
    let threads = threads.map { number -> RecordObject in
      [(.thread, .integer(UInt64(max(0, number))))]
    }
    json.write(.awaits, .objects(tasks + threads))
  }

  private func calls(_ calls: [UnfinishedTask.Call], _ json: inout JSONWriter) {
    let objects = UnfinishedTask.members(of: calls, maxCount: .max)
    if !objects.isEmpty { json.write(.calls, .objects(objects)) }
  }
}

extension LogIdentity {
  /// Creates the identity of a log that describes another process now.
  package init(about process: Int32, named name: String) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    self.init(
      // A random ID with the 32 digits that the format requires.
      trace: (0..<32).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined(),
      process: name, pid: Int(process), host: nil,
      started: RFC3339.text(secondsSince1970: time.tv_sec, nanoseconds: time.tv_nsec))
  }
}

extension [UnfinishedTask.Call] {
  fileprivate static func list(_ frames: [InspectedFrame], _ gap: CallGap?) -> Self {
    var calls = frames.map { UnfinishedTask.Call($0) }
    if let gap {
      var missing = UnfinishedTask.Call(function: nil, source: nil)
      missing.missing = gap.count
      calls.insert(missing, at: Swift.min(gap.index, calls.count))
    }
    return calls
  }
}

extension UnfinishedTask.Call {
  fileprivate init(_ frame: InspectedFrame) {
    self.init(function: frame.function, source: frame.source)
    path = frame.path
    code = frame.offset
    switch frame.origin {
    case _ where frame.isGenerated: origin = .generated
    case .user where frame.isEntry: origin = .entry
    case .user: origin = .user
    case .dependency: origin = .dependency
    case .system: origin = .system
    }
  }
}

extension HangFinding.Cause {
  fileprivate var word: Hang.Cause {
    switch self {
    case .stopped: .stopped
    case .taskCycle: .taskCycle
    case .lockCycle: .lockCycle
    case .blockedPool: .blockedPool
    case .blockedThread: .blockedThread
    case .busy: .busy
    case .continuation, .lostContinuation: .continuation
    case .executor: .executor
    case .rest: .rest
    case .unknown: .unknown
    }
  }
}
