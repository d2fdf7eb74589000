import CRuntime.OwnProcess
import HeapGraph
import ProcessMemory
import SwiftRuntime
import SystemLibrary
import TaskInspection
import TraceFormat

/// Lists the tasks for the records of a log.
enum TaskListing {
  static func list(_ wanted: TaskRequest) -> TaskList {
    #if os(Linux)
      let work = Work(wanted)
      // The values in the registers of this thread count, too.
      trace_with_registers(
        { $0.map { Unmanaged<Work>.fromOpaque($0).takeUnretainedValue().run() } },
        Unmanaged.passUnretained(work).toOpaque())
      return work.list
    #else
      return TaskList()
    #endif
  }
}

#if os(Linux)
  /// A listing that runs with the registers of its thread in memory.
  private final class Work {
    /// The time that looking up the functions of tasks may always take, in nanoseconds.
    private static let minNaming = 1_000_000_000

    let wanted: TaskRequest
    private(set) var list = TaskList()

    init(_ wanted: TaskRequest) { self.wanted = wanted }

    func run() {
      let search: TaskSearch
      do throws(TaskSearch.Refusal) {
        search = try TaskSearch(limit: wanted.limit)
      } catch {
        list.limit = error.limit
        return
      }
      let lanes = wanted.lanes()
      let recorded = search.tasks.filter {
        !wanted.isExiting($0.record.number)
          && ($0.record.number > wanted.firstTask || lanes[$0.record.number] != nil)
      }
      let functions = wanted.functions(
        Set(recorded.flatMap(\.record.code)).sorted(), max(wanted.limit / 2, Self.minNaming))
      let inspected = Dictionary(
        recorded.map { ($0.record.number, InspectedTask($0.record, functions.known)) },
        uniquingKeysWith: { first, _ in first })
      // A task with a source is one of `Trace.task`. Others can be those of libraries.
      let listed = recorded.filter { found in
        lanes[found.record.number] == true
          || inspected[found.record.number]?.isStartedByUser == true
      }
      // A task isn't listed if its functions, and so who started it, aren't known.
      let mayBeStuck = { (found: TaskSearch.Found) in found.isSuspicious || found.mayBeStuck }
      if let limit = functions.limit,
        recorded.count(where: mayBeStuck) > listed.count(where: mayBeStuck)
      {
        list.limit = limit
      }
      // Tasks that can't continue come first, in case that there are too many.
      let chosen = (listed.filter(\.isSuspicious) + listed.filter { !$0.isSuspicious })
        .prefix(wanted.maxCount)
      if let limit = search.limit, chosen.contains(where: \.mayBeStuck) { list.limit = limit }
      let waits = TaskWaits(search.tasks.map(\.record))
      for found in chosen {
        guard let task = inspected[found.record.number] else { continue }
        list.tasks.append(
          describe(found, task, waits, canceled: search.canceledTimes[found.record.number]))
      }
    }

    private func describe(
      _ found: TaskSearch.Found, _ inspected: InspectedTask, _ waits: TaskWaits, canceled: Int?
    ) -> TaskList.Task {
      let record = found.record
      func number(ofTaskAt address: UInt) -> UInt64? {
        waits.index(ofTaskAt: address).map { waits.tasks[$0].number }
      }
      var task = UnfinishedTask(inspected)
      if record.status.isCancelled { task.canceled = UInt64(max(0, canceled ?? 0)) }
      if found.outlook == .itself(isStream: true) { task.pause = .stream }
      task.reach = found.outlook.map { UnfinishedTask.Reach($0) }
      task.isCertain = found.isCertain
      let frames = inspected.programFrames
      task.calls = frames.map {
        UnfinishedTask.Call(function: $0.function ?? $0.offset, source: $0.source)
      }
      let awaited = waits.index(ofTaskAt: record.address).map { index in
        waits.waits(of: index).map { waits.tasks[$0].number }
      }
      let place = frames.first { $0.origin == .user || $0.isOptimized } ?? frames.first
      return TaskList.Task(
        facts: task, awaited: awaited ?? [], parent: record.parent.flatMap(number(ofTaskAt:)),
        place: place.map { CodeLocation(source: $0.source, function: $0.function) },
        lane: task.name ?? frames.last.flatMap { $0.isOptimized ? $0.source : $0.function }
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
#endif
