#if os(Linux)
  import CodeLocations
  import ProcessMemory
  import SwiftRuntime
  import SystemLibrary
  import TaskInspection
  import TraceFormat

  extension Inspection {
    /// Inspects another process.
    ///
    /// - Parameter limit: The maximum time, in nanoseconds. What isn't found in time is missing.
    package init(ofProcess process: Int32, limit: Int) throws(InspectionFailure) {
      guard let entry = ProcessEntry(process) else { throw .noProcess }
      guard !entry.isZombie else { throw .hasEnded }
      guard InspectionFailure.isReadable(process) else { throw .otherArchitecture }
      guard let map = MemoryMap(ofProcess: process),
        let memory = ProcessMemory(ofProcess: process, mappedBy: map)
      else { throw InspectionFailure(reading: process) }
      let end = LogClock.monotonic() + limit
      let isInTime: @Sendable () -> Bool = { LogClock.monotonic() < end }
      let files = ProcessFiles(ofProcess: process, map)
      // The threads come first, because they are the ones that change.
      let unwinder = Unwinder(memory, files, isInTime: isInTime)
      let (stacks, missing) = ThreadReader(process: process, unwinder: unwinder, isInTime: isInTime)
        .threads()
      let progress = ThreadProgress(process, after: stacks, isInTime: isInTime)
      let firstLook = LogClock.monotonic()
      let sockets = SocketTable(ofProcess: process)
      let classifier = ThreadClassifier(
        process: process, memory: memory, threads: progress.threads, sockets: sockets)
      var look = try Look(
        stacks, map, memory, files, classifier, end: end,
        unreadable: InspectionFailure(reading: process))
      Self.waitForSecondLook(since: firstLook, before: end)
      progress.noteMoves(of: &look.threads, in: process)
      // A thread that wakes up from time to time isn't busy.
      for index in look.threads.indices
      where look.threads[index].activity.kind == .running && !look.threads[index].usesProcessor {
        guard let now = classifier.activityNow(of: look.threads[index].thread) else { continue }
        look.threads[index].activity = now
      }
      memory.forgetPages()
      for (index, hasMoved) in (look.census?.haveMoved(memory) ?? []).enumerated() {
        look.tasks[index].hasMoved = hasMoved
      }
      // If the process has ended, or if its number was reused, only a part of it was read.
      guard let now = ProcessEntry(process), !now.isZombie, now.start == entry.start else {
        throw .hasEnded
      }
      self.init(
        process: entry, taskList: look.list, tasks: look.tasks, threads: look.threads,
        missingThreads: missing, tracer: ProcessEntry.tracer(of: process),
        poolSize: Self.processors(of: process), hasListener: sockets.hasListener,
        hasStaticRuntime: !files.hasSwift,
        waitingQueues: WaitingQueues.labels(files, memory, isInTime))
    }

    /// Inspects the process that a core file describes, at one moment.
    ///
    /// - Parameter limit: The maximum time, in nanoseconds. What isn't found in time is missing.
    package init(of core: InspectedCore, limit: Int) throws(CoreFailure) {
      let file = core.file
      let map = MemoryMap(file)
      guard let memory = ProcessMemory(file) else { throw .unreadable }
      let end = LogClock.monotonic() + limit
      let isInTime: @Sendable () -> Bool = { LogClock.monotonic() < end }
      let files = ProcessFiles(of: .core(file), map)
      let (stacks, missing) = ThreadReader.threads(
        in: file, Unwinder(memory, files, isInTime: isInTime))
      let classifier = ThreadClassifier(
        process: nil, memory: memory,
        threads: Dictionary(uniqueKeysWithValues: stacks.map { ($0.thread, $0.thread) }),
        sockets: nil)
      var look: Look
      do throws(InspectionFailure) {
        look = try Look(
          stacks, map, memory, files, classifier, end: end, unreadable: InspectionFailure.refused)
      } catch {
        throw .unreadable
      }
      switch look.list {
      case .found, .noRuntime, .unknownLayout(version: nil):
        if !core.doubts.isEmpty { look.list = .unread }
      case .unknownLayout, .unread: break
      }
      let isWhole = look.list == .found(isComplete: true)
      for index in look.tasks.indices where !isWhole || look.resumesContinuation {
        look.tasks[index].hasLostContinuation = false
      }
      self.init(
        process: core.process, taskList: look.list, tasks: look.tasks, threads: look.threads,
        missingThreads: missing, poolSize: Self.poolSize(files, memory, isInTime),
        hasListener: files.userImports("listen", isInTime: isInTime),
        isOfOneMoment: true, hasStaticRuntime: !files.hasSwift,
        waitingQueues: WaitingQueues.labels(files, memory, isInTime))
    }

    /// Returns the number of threads of the pool of libdispatch, which it keeps in a variable.
    /// Without it, no pool counts as blocked.
    private static func poolSize(
      _ files: ProcessFiles, _ memory: ProcessMemory, _ isInTime: @escaping () -> Bool
    ) -> Int {
      files.address(
        ofVariable: DispatchQueueLayout.processors, in: "/libdispatch.so", isInTime: isInTime
      ).flatMap { memory.half($0 &+ DispatchQueueLayout.activeProcessors) }
        .flatMap { (1...4096).contains($0) ? Int($0) : nil } ?? .max
    }

    /// What one look at a process finds.
    private struct Look {
      let census: TaskCensus?
      var list: TaskList
      var tasks: [InspectedTask]
      var threads: [InspectedThread]

      init(
        _ stacks: [ThreadStack], _ map: MemoryMap, _ memory: ProcessMemory, _ files: ProcessFiles,
        _ classifier: ThreadClassifier, end: Int,
        unreadable: @autoclosure () -> InspectionFailure
      ) throws(InspectionFailure) {
        let isInTime: @Sendable () -> Bool = { LogClock.monotonic() < end }
        var census: TaskCensus?
        var list = TaskList.noRuntime
        if let runtime = TaskCensus.Runtime(files, memory, isInTime: isInTime) {
          (census, list) = try Inspection.census(unreadable: unreadable()) {
            () throws(TaskCensus.Refusal) in
            try TaskCensus(memory, map, runtime, deadline: end)
          }
        } else if files.hasConcurrency {
          list =
            files.canOpenRuntime(isInTime: isInTime) ? .unknownLayout(version: nil) : .unread
        }
        let records = census?.tasks ?? []
        let frames = FrameTable(
          CodeNames(describesCalls: true) { files.image(at: $0) },
          calls: stacks.flatMap { $0.frames.map(\.address) },
          resumptions: records.flatMap(\.code), isSwift: files.hasSwift,
          limit: max(0, end - LogClock.monotonic())
        ) { files.image(at: $0) }
        var tasks = InspectedTask.all(records, frames, memory)
        var threads = stacks.map { stack -> InspectedThread in
          let calls = stack.frames.map { frames.call($0.address) }
          return InspectedThread(
            thread: stack.thread, name: stack.name, activity: classifier.activity(stack, calls),
            frames: calls, gap: stack.gap)
        }
        for (thread, task) in RunningTasks(records, stacks, threads).pairs {
          threads[thread].task = task
          tasks[task].thread = threads[thread].thread
        }
        let awaited = AwaitedObjects(stacks, threads)
        for index in tasks.indices where !awaited.isEmpty && isInTime() {
          tasks[index].servedThreads = awaited.threads(servedBy: tasks[index].record, memory)
        }
        if let census {
          let functions = WaitingFunctions(census, files, memory, isInTime)
          for index in tasks.indices {
            let name = functions[tasks[index].record.address]
            tasks[index].waitingFunction = name
            tasks[index].hasLostContinuation =
              name == nil && functions.isComplete && tasks[index].isChecked
          }
        }
        (self.census, self.list, self.tasks, self.threads) = (census, list, tasks, threads)
      }

      /// A Boolean value that indicates whether a thread is about to resume a checked continuation,
      /// which then isn't in memory any more.
      var resumesContinuation: Bool {
        threads.contains { $0.frames.contains { $0.symbol?.hasPrefix("$sScC") == true } }
      }
    }

    /// The minimum time between the two looks at a process, in nanoseconds.
    private static let timeBetweenLooks = 50_000_000

    /// Waits until the first look is long enough ago to see what has moved since.
    private static func waitForSecondLook(since first: Int, before end: Int) {
      let now = LogClock.monotonic()
      let time = min(first + timeBetweenLooks, end) - now
      if time > 0 { usleep(UInt32(time / 1000)) }
    }

    /// Makes a census, or determines why that isn't possible.
    private static func census(
      unreadable: @autoclosure () -> InspectionFailure,
      _ census: () throws(TaskCensus.Refusal) -> TaskCensus
    ) throws(InspectionFailure) -> (census: TaskCensus?, state: TaskList) {
      do throws(TaskCensus.Refusal) {
        let found = try census()
        return (found, .found(isComplete: found.isComplete))
      } catch {
        switch error {
        case .unknownLayout(let version, _): return (nil, .unknownLayout(version: version))
        case .noRuntime: return (nil, .noRuntime)
        case .unreadable: throw unreadable()
        }
      }
    }

    /// Returns the number of processors that a process may use.
    private static func processors(of process: Int32) -> Int {
      let line = ProcFile.text("/proc/\(process)/status")?.split(separator: "\n")
        .first { $0.hasPrefix("Cpus_allowed:") }
      let digits = line?.dropFirst("Cpus_allowed:".count).compactMap(\.hexDigitValue) ?? []
      return max(1, digits.reduce(0) { $0 + $1.nonzeroBitCount })
    }
  }

  extension ThreadProgress {
    /// Notes which threads ran or ended after this moment.
    fileprivate func noteMoves(of threads: inout [InspectedThread], in process: Int32) {
      let later = ThreadProgress(process, threads: threads.map(\.thread))
      for index in threads.indices {
        threads[index].hasMoved = later.hasMoved(threads[index].thread, since: self)
        threads[index].usesProcessor = later.usesProcessor(threads[index].thread, since: self)
      }
    }
  }

  /// Which thread runs which task.
  private struct RunningTasks {
    /// The indices of a thread and of the task that it runs.
    let pairs: [(thread: Int, task: Int)]

    /// The beginnings of the symbols of the functions that run a task and have its address in their
    /// frames (the runtime's `Actor.cpp`).
    private static let runners = ["swift_job_run", "_ZN5swift34runJobInEstablishedExecutorContext"]

    init(_ records: [TaskRecord], _ stacks: [ThreadStack], _ threads: [InspectedThread]) {
      var running: [UInt: Int] = [:]
      for (index, record) in records.enumerated() where record.status.isRunning {
        running[record.address] = index
      }
      // A task whose address is on several stacks runs on the thread with a function that runs
      // tasks. Without the symbols of these functions, it isn't known.
      var candidates: [Int: [(thread: Int, isRunner: Bool)]] = [:]
      for (thread, stack) in stacks.enumerated() where !running.isEmpty {
        guard let found = Self.outermost(stack, threads[thread].frames, running) else { continue }
        candidates[found.task, default: []].append((thread, found.isRunner))
      }
      pairs = candidates.compactMap { task, threads in
        let runners = threads.filter(\.isRunner)
        let best = runners.isEmpty ? threads : runners
        return best.count == 1 ? (best[0].thread, task) : nil
      }
    }

    /// Returns the running task whose address is in the outermost place on a stack.
    private static func outermost(
      _ stack: ThreadStack, _ frames: [InspectedFrame], _ running: [UInt: Int]
    ) -> (task: Int, isRunner: Bool)? {
      for (frame, described) in zip(stack.frames, frames).reversed() {
        let isRunner = runners.contains { described.symbol?.hasPrefix($0) == true }
        let words = stride(from: frame.stack.lowerBound, to: frame.stack.upperBound, by: 8)
        for address in words.reversed() {
          if let task = stack.stack.word(address).flatMap({ running[$0] }) {
            return (task, isRunner)
          }
        }
      }
      return nil
    }
  }
#endif
