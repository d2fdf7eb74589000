#if os(Linux)
  import HeapGraph
  import ProcessMemory
  import SystemLibrary
  import SwiftRuntime
  import TaskInspection
  import TraceFormat
  import CRuntime.OwnProcess

  /// A search for the tasks of this process that haven't ended, and for what can let them continue.
  ///
  /// The memory is copied twice, and then the tasks are listed. A task can only be unable to
  /// continue if it couldn't in either copy, and if it didn't change in the meantime. So an address
  /// that moves from one place to another during a copy isn't overlooked. The list comes last,
  /// because it has the addresses of the tasks.
  ///
  /// What remains of a thread that ends during a copy looks like something that is in use, so that
  /// copy is made again.
  struct TaskSearch {
    /// A task with the result of the search.
    struct Found {
      let record: TaskRecord
      let outlook: TaskReach.Outlook?
      let isCertain: Bool
    }

    /// The tasks can't be found reliably.
    struct Refusal: Error {
      let limit: Retention.Limit
    }

    /// The time for which a canceled task may continue to wait, in nanoseconds.
    private static let grace = 200_000_000
    /// The time between the copies, in nanoseconds.
    private static let settling = 20_000_000

    let tasks: [Found]
    /// Why the outlooks of some tasks aren't known. Nil if they are.
    let limit: Retention.Limit?
    /// The time for which canceled tasks were watched, in nanoseconds. It is 0 for those that
    /// continued.
    let canceledTimes: [UInt64: Int]

    /// Searches the memory of this process.
    ///
    /// - Parameter limit: The maximum time, in nanoseconds, without the time for canceled tasks.
    init(limit: Int) throws(Refusal) {
      let stackStart = UInt(bitPattern: trace_frame_address())
      let start = LogClock.monotonic()
      let deadline = start + limit
      func copy(by end: Int) -> Copy? {
        Copy.settled(stackStart: stackStart, patience: limit / 10, by: end, deadline: deadline)
      }
      let first = copy(by: start + limit / 4)
      LogClock.pause(.nanoseconds(Self.settling))
      let second = copy(by: start + limit / 2)
      let isTimeLeft = LogClock.monotonic() < deadline
      guard let records = Self.list(by: deadline) else {
        throw Refusal(limit: LogClock.monotonic() < deadline ? .platform : .time)
      }
      var found: [Found]
      var reason: Retention.Limit?
      do throws(Refusal) {
        guard let first, let second else { throw Refusal(limit: isTimeLeft ? .memory : .time) }
        let reaches = [
          try first.reach(records, by: deadline), try second.reach(records, by: deadline),
        ]
        found = records.indices.map { index in
          let outlooks = reaches.map { $0.outlooks[index] }
          let outlook: TaskReach.Outlook? =
            if outlooks[0] == outlooks[1] { outlooks[0] } else {
              outlooks.contains(.open) || !outlooks.contains(nil) ? .open : nil
            }
          return Found(
            record: records[index], outlook: outlook,
            isCertain: reaches.allSatisfy(\.isComplete))
        }
        if found.contains(where: \.mayBeStuck) { reason = .time }
        if !first.isSettled || !second.isSettled {
          reason = .time
          found = found.map { $0.isDoubtful ? $0.withoutOutlook : $0 }
        }
      } catch {
        found = records.map { Found(record: $0, outlook: nil, isCertain: false) }
        reason = error.limit
      }
      let times = Self.watch(records.filter(\.isCanceledAndWaits), limit)
      if times == nil {
        reason = .time
        found = found.map {
          $0.isDoubtful && $0.record.isCanceledAndWaits ? $0.withoutOutlook : $0
        }
      }
      tasks = found
      self.limit = reason
      canceledTimes = times ?? [:]
    }

    /// A copy of the memory.
    private struct Copy {
      let heap: Heap
      let snapshot: MemorySnapshot
      /// A Boolean value that indicates whether no thread started or ended during the copy.
      let isSettled: Bool

      /// Makes a copy, and others until one is settled or until a time.
      static func settled(
        stackStart: UInt, patience: Int, by end: Int, deadline: Int
      ) -> Copy? {
        while true {
          let copy = Copy(stackStart: stackStart, patience, deadline: deadline)
          guard let copy, !copy.isSettled, LogClock.monotonic() < end else { return copy }
        }
      }

      /// - Parameter patience: The maximum time to wait for threads that run, in nanoseconds.
      init?(stackStart: UInt, _ patience: Int, deadline: Int) {
        let threads = ThreadNumbers.inside(process: .own)
        guard let heap = Heap() else { return nil }
        heap.markStacks(
          Self.stacks(by: LogClock.monotonic() + patience), excludesEnded: true)
        guard let snapshot = heap.snapshot(stackStart: stackStart, deadline: deadline) else {
          return nil
        }
        self.heap = heap
        self.snapshot = snapshot
        isSettled = snapshot.threads == threads
      }

      /// Returns the stacks of all threads. Waits until no other thread runs, or until a time: only
      /// the stack of a thread that waits can be told from its remains.
      private static func stacks(by end: Int) -> (known: [UInt], areSomeUnknown: Bool) {
        var stacks = ThreadStacks.pointers()
        while stacks.areSomeUnknown, LogClock.monotonic() < end {
          LogClock.pause(.milliseconds(1))
          stacks = ThreadStacks.pointers()
        }
        return stacks
      }

      func reach(_ tasks: [TaskRecord], by deadline: Int) throws(Refusal) -> TaskReach {
        heap.memory.forgetPages()
        do throws(TaskReach.Refusal) {
          return try TaskReach(tasks, in: ReferenceGraph(heap), snapshot, deadline: deadline)
        } catch {
          switch error {
          case .time: throw Refusal(limit: .time)
          case .memory: throw Refusal(limit: .memory)
          case .allocator, .kernel: throw Refusal(limit: .platform)
          }
        }
      }
    }

    /// Returns all tasks, or nil if they can't be found reliably.
    private static func list(by deadline: Int) -> [TaskRecord]? {
      let canary = Canary.verified ? nil : Canary()
      defer { canary?.release() }
      guard let census = try? TaskCensus.ofThisProcess(deadline: deadline), census.isComplete else {
        return nil
      }
      if let canary {
        do throws(TaskInspectionError) { try canary.verify(census.tasks) } catch { return nil }
      }
      return census.tasks.filter { !Canary.isName($0.name) }
    }

    /// Returns for how long canceled tasks have waited for the same thing since they were found, or
    /// nil if they can't be found again.
    private static func watch(_ canceled: [TaskRecord], _ limit: Int) -> [UInt64: Int]? {
      guard !canceled.isEmpty else { return [:] }
      let start = LogClock.monotonic()
      // Other threads may need this time to continue the tasks.
      LogClock.pause(.nanoseconds(grace))
      let time = LogClock.monotonic() - start
      guard let tasks = list(by: LogClock.monotonic() + limit) else { return nil }
      let now = Dictionary(
        tasks.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
      return Dictionary(
        canceled.map { task in
          (task.number, now[task.number] == task ? time : 0)
        }, uniquingKeysWith: { first, _ in first })
    }
  }

  extension TaskSearch.Found {
    /// A Boolean value that indicates whether the task waits and seems to be able to continue.
    fileprivate var isDoubtful: Bool { outlook == .open && record.isWaiting }

    /// The task when it isn't known what can let it continue.
    fileprivate var withoutOutlook: Self { Self(record: record, outlook: nil, isCertain: false) }

    /// A Boolean value that indicates whether the task waits, and what can let it continue isn't
    /// known.
    var mayBeStuck: Bool {
      outlook == nil && record.isWaiting
    }

    /// A Boolean value that indicates whether the task seems to be unable to continue.
    var isSuspicious: Bool {
      switch outlook {
      case .lost, .itself, .deadlocked, .dependent: true
      case .open, nil: false
      }
    }
  }

  extension TaskRecord {
    /// A Boolean value that indicates whether the task was canceled and waits nevertheless.
    fileprivate var isCanceledAndWaits: Bool {
      status.isCancelled && isWaiting
    }

    /// A Boolean value that indicates whether the task waits for something that may never come.
    fileprivate var isWaiting: Bool {
      guard !status.isRunning, !status.isEnqueued else { return false }
      switch wait {
      case .continuation, .task, .group: return true
      case .executor, nil: return false
      }
    }
  }
#endif
