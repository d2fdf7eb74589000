import ProcessMemory

/// Follows the waits of a process to their bottoms.
struct HangSearch {
  private let inspection: Inspection
  /// The indices of the threads by their numbers.
  private let indices: [Int32: Int]

  init(_ inspection: Inspection) {
    self.inspection = inspection
    indices = Dictionary(
      inspection.threads.enumerated().map { ($1.thread, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  private var tests: [InspectedTest] { inspection.tests }
  private var tasks: [InspectedTask] { inspection.tasks }
  private var threads: [InspectedThread] { inspection.threads }

  var findings: [HangFinding] {
    if let cause = stop ?? taskCycle ?? lockCycle ?? blockedPool { return [cause] }
    guard tests.isEmpty else { return tests.compactMap(finding) }
    return finding.map { [$0] } ?? []
  }

  // MARK: Causes that explain everything

  private var stop: HangFinding? {
    let stopped = threads.filter { $0.activity == .stopped }
    guard !stopped.isEmpty, stopped.count == threads.count else { return nil }
    return HangFinding(
      cause: .stopped(inspection.tracer.map { .tracer($0) } ?? .signal), test: nil, tasks: [],
      threads: [], places: [])
  }

  private var taskCycle: HangFinding? {
    guard case .found(isComplete: true) = inspection.taskList,
      let cycle = inspection.waits.cycles.first(where: { $0.allSatisfy { !tasks[$0].hasMoved } })
    else { return nil }
    return HangFinding(
      cause: .taskCycle, test: tests.first, tasks: cycle, threads: [],
      places: unique(cycle.compactMap { tasks[$0].frames.place }))
  }

  private var lockCycle: HangFinding? {
    for start in threads.indices {
      let (path, end) = holders(from: start)
      guard end == start, path.allSatisfy({ !threads[$0].hasMoved }) else { continue }
      return HangFinding(
        cause: .lockCycle, test: tests.first, tasks: path.compactMap { threads[$0].task },
        threads: path.map { threads[$0].thread },
        places: unique(path.compactMap { threads[$0].frames.place }))
    }
    return nil
  }

  /// Follows a thread to the thread that it waits for, and so on. Returns the indices of these
  /// threads, and the first index that occurs again, or nil if the last thread doesn't wait for
  /// another one.
  private func holders(from start: Int) -> (path: [Int], end: Int?) {
    var path: [Int] = []
    var next: Int? = start
    while let index = next, !path.contains(index) {
      path.append(index)
      next = threads[index].activity.holder.flatMap { indices[$0] }
    }
    return (path, next)
  }

  private var blockedPool: HangFinding? {
    let running = threads.filter { $0.task != nil && !$0.hasMoved }
    let isWaiting = tasks.contains { task in
      task.state == .enqueued && task.executor == nil
    }
    guard isWaiting, running.count > 1, running.count >= inspection.poolSize,
      running.allSatisfy({ $0.activity.isBlocked })
    else { return nil }
    return HangFinding(
      cause: .blockedPool, test: tests.first, tasks: running.compactMap(\.task),
      threads: running.map(\.thread), places: unique(running.compactMap(\.frames.place)))
  }

  // MARK: One test

  private func finding(_ test: InspectedTest) -> HangFinding? {
    if let thread = test.thread, threads[thread].frames.place != nil {
      return finding(thread: threads[thread], test, path: test.task.map { [$0] } ?? [])
    }
    return test.task.flatMap { best(bottoms(of: [$0]).compactMap { finding(path: $0, test) }) }
  }

  /// Returns the finding that explains the most.
  private func best(_ findings: [HangFinding]) -> HangFinding? {
    findings.min { rank($0) < rank($1) }
  }

  /// Returns the paths from tasks down to those that don't wait for another task, in the order of
  /// the tasks.
  private func bottoms(of tasks: [Int]) -> [[Int]] {
    var paths: [[Int]] = []
    var open = tasks.reversed().map { [$0] }
    var isVisited = self.tasks.map { _ in false }
    while let path = open.popLast(), let last = path.last {
      guard !isVisited[last] else { continue }
      isVisited[last] = true
      let next = inspection.waits.waits(of: last)
      if next.isEmpty { paths.append(path) } else { open += next.map { path + [$0] } }
    }
    return paths
  }

  private func finding(path: [Int], _ test: InspectedTest?) -> HangFinding? {
    guard let last = path.last else { return nil }
    let task = tasks[last]
    // A frame of the task, or of one that waits for it, if all of its own are the system's.
    let frames =
      path.reversed().lazy.map { tasks[$0].frames }
      .first { $0.place != nil } ?? task.frames
    if let thread = task.thread.flatMap({ indices[$0] }).map({ threads[$0] }),
      thread.frames.place != nil || task.frames.place == nil
    {
      return finding(thread: thread, test, path: path)
    }
    func pausing(_ cause: HangFinding.Cause) -> HangFinding {
      HangFinding(
        cause: cause, test: test, tasks: path, threads: [],
        places: unique([frames.place, place(of: test)].compactMap(\.self)))
    }
    guard !task.hasMoved else { return pausing(.busy) }
    switch task.state {
    case .running: return pausing(.busy)
    case .enqueued:
      if let blocker = blocker(of: task) {
        return finding(thread: blocker, test, path: path)
      }
      return pausing(.executor(task.executor))
    case .waiting:
      if case .continuation = task.record.wait {
        if task.frames.pause == .promise, let loop = blockedEventLoop {
          return finding(thread: loop, test, path: path)
        }
        return pausing(task.frames.pause == .yield ? .busy : .continuation(task.frames.pause))
      }
      return pausing(.unknown)
    case .suspended: return pausing(.unknown)
    }
  }

  /// The thread of an event loop of SwiftNIO that is blocked in code of the user. While it is, no
  /// promise of its loop is fulfilled.
  private var blockedEventLoop: InspectedThread? {
    threads.first {
      // SwiftNIO names its threads like this (`EventLoopGroup.swift`).
      ($0.name.hasPrefix("NIO-ELT") || $0.name.hasPrefix("NIO-SGLTN")) && $0.activity.isBlocked
        && $0.frames.contains { $0.origin == .user }
    }
  }

  /// Returns the thread that most probably keeps a task from its turn: a blocked main thread for
  /// the main actor, or the only blocked thread that runs a task.
  private func blocker(of task: InspectedTask) -> InspectedThread? {
    if task.executor == InspectedTask.mainActor {
      return threads.first {
        $0.thread == inspection.process.process && $0.frames.place != nil
          && ($0.activity.isBlocked || $0.activity == .running)
      }
    }
    let blocked = threads.filter { $0.task != nil && $0.activity.isBlocked }
    return blocked.count == 1 && blocked[0].frames.place != nil ? blocked[0] : nil
  }

  private func finding(
    thread: InspectedThread, _ test: InspectedTest?, path: [Int]
  ) -> HangFinding {
    let chain = indices[thread.thread].map { holders(from: $0).path.map { threads[$0] } } ?? []
    let bottom = chain.last ?? thread
    let isBusy = bottom.hasMoved || bottom.activity == .running
    var places = chain.reversed().compactMap(\.frames.place)
    if let place = place(of: test) { places.append(place) }
    // A thread that waits for an event waits for somebody else: often for a task.
    if bottom.activity.isForOthers {
      places += tasks.filter { $0.thread == nil && $0.state == .waiting }.compactMap(\.frames.place)
    }
    return HangFinding(
      cause: isBusy ? .busy : .blockedThread(bottom.activity), test: test, tasks: path,
      threads: chain.map(\.thread), places: unique(places))
  }

  /// Returns the line of the test function, because the innermost function of the package can be a
  /// helper that many tests call.
  private func place(of test: InspectedTest?) -> InspectedFrame? {
    guard let test else { return nil }
    let frames = test.thread.map { threads[$0].frames } ?? test.task.map { tasks[$0].frames } ?? []
    return frames.last {
      $0.origin == .user && $0.source != nil && !$0.isEntry && !$0.isListOfTests
    }
  }

  // MARK: A process without tests

  private var finding: HangFinding? {
    var candidates: [HangFinding] = []
    let main = threads.first { $0.thread == inspection.process.process }
    if let main, main.task == nil, main.frames.place != nil, !main.isAtRest {
      candidates.append(finding(thread: main, nil, path: []))
    }
    // Tasks are numbered in the order in which they were made, and the main task is the first.
    let roots = inspection.waits.roots.filter { tasks[$0].frames.place != nil }
    candidates += bottoms(of: roots).compactMap { finding(path: $0, nil) }
    if let best = best(candidates) { return best }
    let others = threads.filter { $0.frames.place != nil && !$0.isAtRest }
    return others.first.map { finding(thread: $0, nil, path: []) }
  }

  // MARK: Order

  /// Returns a number that is lower for a finding that explains more. What only tasks of a library
  /// wait for says less than what a task with code of the package waits for.
  private func rank(_ finding: HangFinding) -> Int {
    let isOfUser =
      finding.places.contains { $0.origin == .user }
      || finding.tasks.contains { tasks[$0].frames.contains { $0.origin == .user } }
    let distance = isOfUser ? 0 : finding.places.isEmpty ? 100 : 10
    switch finding.cause {
    case .stopped, .taskCycle, .lockCycle, .blockedPool: return distance
    case .blockedThread(.sleep): return distance + 6
    case .blockedThread: return distance + 1
    case .continuation(.other), .continuation(.promise), .continuation(.yield):
      return distance + 2
    case .continuation(.stream): return distance + 3
    case .busy: return distance + 4
    case .executor: return distance + 5
    case .continuation(.sleep): return distance + 6
    case .unknown: return distance + 7
    }
  }

  private func unique(_ places: [InspectedFrame]) -> [InspectedFrame] {
    var seen: Set<String> = []
    return places.filter { seen.insert("\($0.function ?? "") \($0.source ?? $0.offset)").inserted }
  }
}
