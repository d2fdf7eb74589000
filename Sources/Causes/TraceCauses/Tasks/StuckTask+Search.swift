#if os(Linux)
  import HeapGraph
  import SystemLibrary
  import ProcessMemory
  import SwiftRuntime
  import TaskInspection
  import TraceFormat
  import CRuntime.OwnProcess

  extension StuckTask {
    /// The time that a canceled task may take to continue, in nanoseconds.
    private static let grace = 100_000_000
    /// The maximum time to wait for threads that run, in nanoseconds.
    private static let maxWait = 2_000_000_000

    /// Waits until no other thread runs, or until time runs out. The stack pointer of a thread that
    /// runs is unknown, so what remains on its stack would hide tasks.
    private static func waitUntilOthersWait(limit: Int) {
      let deadline = LogClock.monotonic() + limit
      while ThreadStacks.pointers().areSomeUnknown, LogClock.monotonic() < deadline {
        LogClock.pause(.milliseconds(1))
      }
    }

    /// Returns the stuck tasks that have each mark, and why there may be more of them. It is nil if
    /// these are all.
    ///
    /// This blocks the calling thread, which must not be one of the pool that runs tasks.
    ///
    /// - Parameters:
    ///   - marks: The addresses of the marks with all bits inverted, or nil for those without a
    ///     task. The calling code must not retain the marks.
    ///   - limit: The maximum time, in nanoseconds.
    static func find(
      from marks: [UInt?], limit: Int
    ) -> (tasks: [[StuckTask]], limit: Retention.Limit?) {
      var stuck = marks.map { _ in [StuckTask]() }
      waitUntilOthersWait(limit: min(limit, maxWait))
      // A list of tasks must not be made before. Its remains would look like holders.
      let search = MarkedSearch(limit: limit, marks: marks)
      // The values in the registers of this thread count, too.
      trace_with_registers(
        { $0.map { Unmanaged<MarkedSearch>.fromOpaque($0).takeUnretainedValue().run() } },
        Unmanaged.passUnretained(search).toOpaque())
      guard !search.found.isEmpty else { return (stuck, search.doubt) }
      let deadline = LogClock.monotonic() + limit
      guard let (inspected, _) = try? InspectedTask.ofThisProcess(within: limit) else {
        return (stuck, .platform)
      }
      // Then tasks, or the names that show who started them, may be missing.
      let doubt = search.doubt ?? (LogClock.monotonic() < deadline ? nil : .time)
      let running = RunningTask.all(inspected)
      for found in search.found {
        guard let index = inspected.firstIndex(where: { $0.record.number == found.number }),
          inspected[index].isStartedByUser
        else { continue }
        let isStream = inspected[index].pause == .stream
        stuck[found.mark].append(
          StuckTask(
            task: running[index],
            reason: isStream && found.reason == .ownContinuation ? .ownStream : found.reason,
            isCertain: found.isCertain))
      }
      return (stuck, doubt)
    }

    /// A search that runs with the registers of its thread in memory.
    private final class MarkedSearch {
      /// A task with the index of its mark.
      struct Found {
        let mark: Int
        let number: UInt64
        let reason: Reason
        let isCertain: Bool
      }

      let limit: Int
      /// The addresses of the marks with all bits inverted, or nil for those without a task.
      let marks: [UInt?]
      private(set) var found: [Found] = []
      /// Why there may be other stuck tasks, or nil if there aren't any.
      private(set) var doubt: Retention.Limit?

      init(limit: Int, marks: [UInt?]) {
        self.limit = limit
        self.marks = marks
      }

      func run() {
        let search: TaskSearch
        do throws(TaskSearch.Refusal) {
          search = try TaskSearch(limit: limit)
        } catch {
          doubt = error.limit
          return
        }
        guard let locals = TaskLocals() else {
          doubt = .platform
          return
        }
        let waits = TaskWaits(search.tasks.map(\.record))
        for (index, task) in search.tasks.enumerated() {
          // The runtime cancels the children of a task with it, so they are reported themselves.
          let waitsForChild = waits.waits(of: index).contains {
            search.tasks[$0].record.parent == task.record.address
          }
          let canceled = waitsForChild ? nil : search.canceledTimes[task.record.number]
          let reason = reason(task, canceled)
          guard reason != nil || task.mayBeStuck,
            let mark = marks.firstIndex(where: { mark in
              mark.map { locals.contain($0, in: task.record) } ?? false
            })
          else { continue }
          guard let reason else {
            doubt = search.limit
            continue
          }
          found.append(
            Found(
              mark: mark, number: task.record.number, reason: reason,
              isCertain: task.isCertain || reason == .canceled))
        }
      }

      private func reason(_ task: TaskSearch.Found, _ canceledTime: Int?) -> Reason? {
        switch task.outlook {
        case .lost: return .lostContinuation
        case .itself(let isStream): return isStream ? .ownStream : .ownContinuation
        case .deadlocked: return .deadlock
        case .dependent: return nil
        case .open, nil:
          switch task.record.wait {
          case .continuation, .task:
            return canceledTime.map { $0 >= StuckTask.grace } == true ? .canceled : nil
          case .group, .executor, nil: return nil
          }
        }
      }
    }
  }

#else
  import TraceFormat

  extension StuckTask {
    static func find(
      from marks: [UInt?], limit: Int
    ) -> (tasks: [[StuckTask]], limit: Retention.Limit?) {
      (marks.map { _ in [] }, .platform)
    }
  }
#endif
