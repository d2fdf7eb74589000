import ProcessMemory
import TaskInspection
import TraceFormat

/// Follows the waits of a process to their bottoms.
struct HangSearch {
  private let inspection: Inspection
  /// The indices of the threads by their numbers.
  private let indices: [Int32: Int]
  /// A Boolean value that indicates whether the process lives to serve others.
  private var isServer = false
  /// The tasks that wait for checked continuations, with their lines, by the modules of the lines.
  private var checkedWaits: [Substring: [(task: Int, place: InspectedFrame)]] = [:]
  /// The tasks of tests, by the tasks that these wait for.
  private var testTasks: [Int: Int] = [:]

  init(_ inspection: Inspection) {
    self.inspection = inspection
    indices = Dictionary(
      inspection.threads.enumerated().map { ($1.thread, $0) },
      uniquingKeysWith: { first, _ in first })
    isServer = looksLikeServer
    for index in tasks.indices where tasks[index].state == .waiting && tasks[index].isChecked {
      guard let place = tasks[index].userPlace, let module = Self.module(of: place) else {
        continue
      }
      checkedWaits[module, default: []].append((index, place))
    }
    for test in tests.compactMap(\.task) {
      var open = [test]
      while let task = open.popLast() {
        guard testTasks[task] == nil else { continue }
        testTasks[task] = test
        open += inspection.waits.waits(of: task)
      }
    }
  }

  private static func module(of frame: InspectedFrame) -> Substring? {
    frame.source?.split(separator: "/").first
  }

  private var tests: [InspectedTest] { inspection.tests }
  private var tasks: [InspectedTask] { inspection.tasks }
  private var threads: [InspectedThread] { inspection.threads }

  var findings: [HangFinding] {
    // Other causes depend on what is missing.
    guard inspection.taskList != .unread else { return lockCycle.map { [$0] } ?? [] }
    if let cause = stop ?? taskCycle ?? lockCycle ?? blockedPool ?? blockedQueue { return [cause] }
    guard tests.isEmpty else { return tests.compactMap(finding) }
    return finding.map { [$0] } ?? []
  }

  // MARK: Causes that explain everything

  private var stop: HangFinding? {
    let stopped = threads.filter { $0.activity.kind == .stopped }
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
      // The runtime tries all the time to initialize a variable that the thread itself initializes.
      let isStill = path.allSatisfy { !threads[$0].hasMoved || threads[$0].activity.kind == .once }
      guard end == start, isStill else { continue }
      return HangFinding(
        cause: .lockCycle, test: tests.first, tasks: path.compactMap { threads[$0].task },
        threads: path.map { threads[$0].thread }, places: places(ofCycle: path))
    }
    return nil
  }

  /// Returns the lines of threads that wait for each other. A helper that takes all of the locks
  /// says nothing, so it is left out in favor of the functions that call it.
  private func places(ofCycle path: [Int]) -> [InspectedFrame] {
    var counts: [String: Int] = [:]
    for source in path.flatMap({ threads[$0].frames.compactMap(\.source) }) {
      counts[source, default: 0] += 1
    }
    return unique(
      path.compactMap { index in
        let frames = threads[index].frames
        return frames.first {
          $0.origin == .user && !$0.isEntry && $0.source.map { counts[$0] == 1 } == true
        } ?? frames.place
      })
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
      cause: .blockedPool(queue: nil), test: tests.first, tasks: running.compactMap(\.task),
      threads: running.map(\.thread),
      places: unique(running.compactMap(\.frames.place) + running.compactMap(\.frames.userCaller)))
  }

  /// All threads of a global queue of libdispatch wait, and there is work for it. libdispatch makes
  /// about as many threads for such a queue as there are processors.
  private var blockedQueue: HangFinding? {
    for label in inspection.waitingQueues {
      // libdispatch names its threads after their queue, and the kernel cuts the name.
      let name = String(label.suffix(ThreadName.maxLength))
      let pool = threads.filter { $0.name == name }
      guard pool.count >= inspection.poolSize,
        pool.allSatisfy({ $0.activity.isBlocked && !$0.isBusy && !$0.hasMoved })
      else { continue }
      let sorted = pool.filter { $0.task == nil } + pool.filter { $0.task != nil }
      let places = sorted.compactMap(\.frames.userPlace)
      guard !places.isEmpty else { continue }
      return HangFinding(
        cause: .blockedPool(queue: label), test: tests.first, tasks: sorted.compactMap(\.task),
        threads: sorted.map(\.thread), places: unique(places))
    }
    return nil
  }

  private enum ThreadName {
    /// The maximum length of a thread's name (`TASK_COMM_LEN` of the kernel without the end).
    static let maxLength = 15
  }

  // MARK: One test

  private func finding(_ test: InspectedTest) -> HangFinding? {
    if let thread = test.thread, threads[thread].frames.place != nil {
      return finding(thread: threads[thread], test, path: test.task.map { [$0] } ?? [])
    }
    return test.task.flatMap {
      best(distinct(bottoms(of: [$0])).compactMap { finding(path: $0, test) })
    }
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

  /// What the rank of the finding about a path depends on.
  private struct PathKind: Hashable {
    let code: [UInt]
    let state: UnfinishedTask.State
    let isContinuation: Bool
    let executor: String?
    let thread: Int32?
    let hasMoved: Bool
    let hasLostContinuation: Bool
    let hasUserPlace: Bool
    let isAwaited: Bool
  }

  /// Returns the first of all paths whose findings have the same rank. Thousands of tasks often
  /// wait alike.
  private func distinct(_ paths: [[Int]]) -> [[Int]] {
    var known: Set<PathKind> = []
    return paths.filter { path in
      guard let last = path.last else { return false }
      let task = tasks[last]
      let users = path.filter { tasks[$0].userPlace != nil }
      let isContinuation = if case .continuation = task.record.wait { true } else { false }
      let kind = PathKind(
        code: task.record.code, state: task.state, isContinuation: isContinuation,
        executor: task.executor, thread: task.thread, hasMoved: task.hasMoved,
        hasLostContinuation: task.hasLostContinuation, hasUserPlace: !users.isEmpty,
        isAwaited: users.contains { !tasks[$0].isMain })
      return known.insert(kind).inserted
    }
  }

  private func finding(path: [Int], _ test: InspectedTest?) -> HangFinding? {
    guard let last = path.last else { return nil }
    let task = tasks[last]
    if let thread = thread(of: task),
      thread.frames.place != nil || task.frames.place == nil
    {
      return finding(thread: thread, test, path: path)
    }
    func pausing(_ cause: HangFinding.Cause) -> HangFinding {
      // The line of the package that waits, even if it does so for a task of a library.
      let waiting = path.reversed().lazy.compactMap { tasks[$0].userPlace }.first
      return HangFinding(
        cause: cause, test: test, tasks: path, threads: [],
        places: unique(
          [waiting, task.place, place(of: test, path)].compactMap(\.self)
            + (cause == .continuation(nil) && !task.isChecked
              ? otherWaits(than: path, inModuleOf: waiting) : [])))
    }
    switch task.state {
    case .running: return pausing(isAnyThreadBusy ? .busy : .unknown)
    case .enqueued:
      if let blocker = blocker(of: task) {
        return finding(thread: blocker, test, path: path)
      }
      return pausing(task.hasMoved && isAnyThreadBusy ? .busy : .executor(task.executor))
    case .waiting:
      guard case .continuation = task.record.wait else { return pausing(.unknown) }
      if task.pause == .promise, let loop = blockedEventLoop {
        return finding(thread: loop, test, path: path)
      }
      if task.hasLostContinuation, !task.hasMoved { return pausing(.lostContinuation) }
      let isBusy = task.pause == .yield || task.hasMoved && task.pause != .sleep && isAnyThreadBusy
      return pausing(
        isBusy ? .busy : task.isPauseKnown ? .continuation(task.pause) : .unknown)
    case .suspended: return pausing(task.hasMoved && isAnyThreadBusy ? .busy : .unknown)
    }
  }

  /// The maximum number of lines of other tasks or threads.
  private static let maxOthers = 3

  /// Returns the lines at which other tasks wait for continuations, in the module of a line. A task
  /// that waits in a function of the system, such as for the answer to a request, can wait for one
  /// of them.
  private func otherWaits(than path: [Int], inModuleOf place: InspectedFrame?) -> [InspectedFrame] {
    guard let own = place.flatMap(Self.module), let all = checkedWaits[own] else { return [] }
    return all.lazy.filter { !path.contains($0.task) }.prefix(Self.maxOthers).map(\.place)
  }

  /// Returns the thread that runs a task.
  private func thread(of task: InspectedTask) -> InspectedThread? {
    task.thread.flatMap { indices[$0] }.map { threads[$0] }
  }

  private var isAnyThreadBusy: Bool { threads.contains(where: \.isBusy) }

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
          && ($0.activity.isBlocked || $0.activity.kind == .running)
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
    if bottom.waitsForPromise, let loop = blockedEventLoop,
      !chain.contains(where: { $0.thread == loop.thread })
    {
      return finding(thread: loop, test, path: path)
    }
    var places = chain.reversed().compactMap(\.frames.place)
    if bottom.activity.isForOthers {
      if let found = finding(serving: bottom, chain, test, path) { return found }
      // Somebody else has to do something: often a thread or a task that waits itself.
      places += threads.filter { $0.activity.holder == bottom.thread }.compactMap(\.frames.place)
      if let place = place(of: test, path) { places.append(place) }
      places += blockedPlaces(except: chain, places) + waitingPlaces(test)
    } else if let place = place(of: test, path) {
      places.append(place)
    }
    return HangFinding(
      cause: bottom.isBusy ? .busy : .blockedThread(bottom.activity.kind), test: test, tasks: path,
      threads: chain.map(\.thread), places: unique(places))
  }

  /// Returns the lines at which tasks wait that aren't those of other tests.
  private func waitingPlaces(_ test: InspectedTest?) -> [InspectedFrame] {
    let others = tasks.indices.filter { index in
      tasks[index].thread == nil && tasks[index].state == .waiting
        && (testTasks[index] == nil || testTasks[index] == test?.task)
    }
    let places = others.compactMap { tasks[$0].userPlace } + others.compactMap { tasks[$0].place }
    return Array(unique(places).prefix(Self.maxOthers))
  }

  /// Returns the lines of the user's code at which other threads are blocked. One that is blocked
  /// in a function that is already known has the line of its caller.
  private func blockedPlaces(
    except chain: [InspectedThread], _ known: [InspectedFrame]
  ) -> [InspectedFrame] {
    let others = threads.filter { other in
      other.activity.isBlocked && !isAtRest(other) && !chain.contains { $0.thread == other.thread }
    }
    let places = others.compactMap { other in
      other.frames.userPlace.map { known.contains($0) ? other.frames.userCaller ?? $0 : $0 }
    }
    return Array(places.prefix(Self.maxOthers))
  }

  /// Returns what the tasks that have the object for which a thread waits wait for themselves, or
  /// nil if no task has it.
  private func finding(
    serving thread: InspectedThread, _ chain: [InspectedThread], _ test: InspectedTest?,
    _ path: [Int]
  ) -> HangFinding? {
    // Old content of the memory of a task can be a reference, so one of a library isn't believed.
    let servers = tasks.indices.filter {
      tasks[$0].servedThreads.contains(thread.thread) && !path.contains($0)
        && tasks[$0].frames.contains { $0.origin == .user || $0.isOptimized }
    }
    let found = best(
      bottoms(of: servers).compactMap { bottom -> HangFinding? in
        guard let last = bottom.last, tasks[last].thread == nil, !path.contains(last) else {
          return nil
        }
        guard tasks[last].state == .enqueued else { return finding(path: bottom, nil) }
        guard blocker(of: tasks[last])?.thread == thread.thread else { return nil }
        return HangFinding(
          cause: .blockedThread(thread.activity.kind), test: nil, tasks: bottom, threads: [],
          places: [])
      })
    guard let found, found.threads.isEmpty else { return nil }
    let own = chain.reversed().compactMap(\.frames.place)
    let isCircle = found.places.isEmpty
    let others = isCircle ? found.tasks.compactMap { tasks[$0].place } : found.places
    return HangFinding(
      cause: found.cause, test: test, tasks: path + found.tasks, threads: chain.map(\.thread),
      places: unique(
        (isCircle ? own + others : others + own) + [place(of: test, path)].compactMap(\.self)))
  }

  /// Returns the innermost line of the test function and its closures on the path to a task. The
  /// innermost function of the package can be a helper that many tests call.
  private func place(of test: InspectedTest?, _ path: [Int]) -> InspectedFrame? {
    guard let test else { return nil }
    func isOfTest(_ frame: InspectedFrame) -> Bool {
      frame.origin == .user && frame.source != nil && !frame.isEntry && !frame.isListOfTests
    }
    let own = test.thread.map { threads[$0].frames } ?? test.task.map { tasks[$0].frames } ?? []
    guard let outermost = own.last(where: isOfTest), let name = outermost.function else {
      return nil
    }
    let frames = path.reversed().map { tasks[$0].frames }.joined().filter(isOfTest) + own
    return frames.first {
      isOfTest($0) && ($0.function == name || $0.function?.hasSuffix(" in \(name)") == true)
    }
  }

  // MARK: A process without tests

  private var finding: HangFinding? {
    var candidates: [HangFinding] = []
    let main = threads.first { $0.thread == inspection.process.process }
    if let main, main.task == nil, main.frames.place != nil, !isAtRest(main) {
      candidates.append(finding(thread: main, nil, path: []))
    }
    // Tasks are numbered in the order in which they were made, and the main task is the first.
    let paths = bottoms(of: WaitRoots.roots(of: tasks.indices, waits: inspection.waits.waits))
    let named = paths.filter { path in
      path.contains { tasks[$0].frames.place != nil }
        || path.last.flatMap { thread(of: tasks[$0]) }?.frames.place != nil
    }
    // Without names of the runtime, a task of a server that waits for work looks like any other.
    let active = named.filter {
      !isAtRest($0) && !(isServer && waitsForSomethingUnknown($0))
    }
    candidates += distinct(active).compactMap { finding(path: $0, nil) }
    if let best = best(candidates) { return best }
    let others = threads.filter {
      $0.frames.place != nil && !isAtRest($0) && $0.thread != main?.thread
    }
    if let thread = others.first(where: {
      !isServer || $0.isBusy || !$0.activity.isForOthers || $0.blocksQueue
    }) {
      return finding(thread: thread, nil, path: [])
    }
    let isUnknown = tasks.contains { !$0.isMain && $0.state == .waiting && !$0.isPauseKnown }
    return isRestKnown && !isUnknown ? restingFinding : nil
  }

  /// Returns whether the task at the end of a path waits in a function of the runtime that has no
  /// name.
  private func waitsForSomethingUnknown(_ path: [Int]) -> Bool {
    guard let last = path.last, case .continuation = tasks[last].record.wait else { return false }
    // What waits for a checked continuation gave it a name.
    return !tasks[last].isPauseKnown && tasks[last].waitingFunction == nil
      && !tasks[last].hasLostContinuation
  }

  private var restingFinding: HangFinding {
    HangFinding(cause: .rest, test: nil, tasks: [], threads: [], places: [])
  }

  /// A Boolean value that indicates whether enough is known about the process to say that it rests.
  private var isRestKnown: Bool {
    guard !inspection.isOfOneMoment,
      inspection.taskList != .noRuntime || !inspection.hasStaticRuntime
    else { return false }
    return switch inspection.taskList {
    case .found(isComplete: true), .noRuntime:
      inspection.hasUserCode
        && !threads.contains { $0.usesProcessor || $0.isBusy && $0.frames.place != nil }
    case .found, .unknownLayout, .unread: false
    }
  }

  /// A Boolean value that indicates whether clients can connect to the process, a library starts
  /// and stops its services, or its main thread only waits for work.
  private var looksLikeServer: Bool {
    let main = threads.first { $0.thread == inspection.process.process }
    return inspection.hasListener || threads.contains { $0.activity.kind == .accept }
      || main.map(isAtRest) == true && !tasks.isEmpty && !tasks.contains(where: \.isMain)
      || tasks.contains { $0.frames.contains(where: \.isOfServiceLifecycle) }
  }

  private func isAtRest(_ thread: InspectedThread) -> Bool {
    thread.isAtRest
      || (inspection.hasListener || thread.activity.kind != .events)
        && thread.activity.isForClients && !thread.isBusy
  }

  /// Returns whether the task at the end of a path waits for work, or for the end of a server.
  private func isAtRest(_ path: [Int]) -> Bool {
    guard let last = path.last else { return true }
    let task = tasks[last]
    if let thread = thread(of: task) { return isAtRest(thread) }
    guard task.state != .running, task.state != .enqueued else { return false }
    // A task of a library that nobody waits for, except code that starts a library.
    let isOfLibrary = path.allSatisfy { index in
      tasks[index].isMain || tasks[index].frames.userPlace == nil
        || isServer && !tasks[index].isCalledByLibrary
    }
    let isUser = task.frames.userPlace != nil
    guard isServer else { return task.waitsForWork && !isUser && isOfLibrary }
    if task.waitsForAnswer { return false }
    if task.waitsForWork || task.isMain { return true }
    if task.pause == .sleep { return !isUser || !task.isCalledByLibrary }
    return !isUser && isOfLibrary
  }

  // MARK: Order

  /// Returns a number that is lower for a finding that explains more. What only tasks of a library
  /// wait for says less than what a task with code of the package waits for.
  private func rank(_ finding: HangFinding) -> Int {
    let distance = finding.threads.isEmpty ? distance(finding) : finding.places.isEmpty ? 100 : 0
    switch finding.cause {
    case .stopped, .taskCycle, .lockCycle, .blockedPool: return distance
    case .blockedThread(.sleep): return distance + 60
    case .blockedThread: return distance + 10
    case .lostContinuation: return distance + 15
    case .continuation(nil), .continuation(.promise), .continuation(.yield):
      return distance + 20
    case .continuation(.stream): return distance + 30
    case .busy: return distance + 40
    case .executor: return distance + 50
    case .continuation(.sleep): return distance + 60
    case .unknown, .rest: return distance + 70
    }
  }

  /// Returns how far the code of the package is from what a task waits for: the code itself waits,
  /// it called a library that waits, it waits for a task of a library, or it doesn't wait.
  private func distance(_ finding: HangFinding) -> Int {
    guard let last = finding.tasks.last else { return finding.places.isEmpty ? 1000 : 0 }
    let frames = tasks[last].frames.filter { $0.origin != .system }
    if frames.first?.origin == .user { return 0 }
    if frames.contains(where: { $0.origin == .user }) { return 5 }
    let isAwaited = finding.tasks.contains {
      tasks[$0].frames.userPlace != nil && !tasks[$0].isMain
    }
    return isAwaited ? 30 : finding.places.isEmpty ? 1000 : 200
  }

  private func unique(_ places: [InspectedFrame]) -> [InspectedFrame] {
    var seen: Set<String> = []
    return places.filter { seen.insert("\($0.function ?? "") \($0.source ?? $0.offset)").inserted }
  }
}
