#if os(Linux)
  import SystemLibrary
  import ReactiveKit
  import SwiftRuntime
  import Synchronization
  import TraceFormat
  import CRuntime.OwnProcess

  /// The lives of all tasks, if `REACTIVE_TRACE_TASKS` requests them: where each was made, when and
  /// for what it was suspended, and how it ended.
  ///
  /// The functions are called by the threads that make and run the tasks, in the middle of the
  /// runtime. They don't call it, and they don't hold a lock while they write.
  final class TaskLives: Sendable {
    /// What is known about a task that hasn't ended.
    private struct Life {
      /// The subscription of the task, or nil if the task isn't recorded.
      let subscription: TracedSubscription?
      /// A Boolean value that indicates whether `TaskLife` writes the end.
      var endsItself = false
      var isSuspended = false
    }

    /// The key of a task. It isn't an address, because the search for what can let a task continue
    /// looks for its address in the memory.
    private struct Key: Hashable {
      private let word: UInt

      init(_ task: UInt) { word = ~task }

      // The memory of tasks is aligned and often has the same size.
      var shard: Int { Int((word >> 4 ^ word >> 10) % TaskLives.shardCount) }
    }

    private final class Shard: Sendable {
      let lives = Guarded<[Key: Life]>([:])
    }

    private static let shardCount: UInt = 64
    private let shards = (0..<shardCount).map { _ in Shard() }

    /// The table of the process. A child process begins with a new one, because the lock of the old
    /// one can be held by a thread that doesn't exist in the child.
    private static let table = Replaceable { TaskLives() }

    private static func withLife<Result>(
      of task: UInt, _ body: (inout Life?) -> Result
    ) -> Result {
      let key = Key(task)
      return table.current.shards[key.shard].lives.withLock { body(&$0[key]) }
    }

    /// Returns the subscription of a task, or nil if it isn't recorded.
    static func subscription(ofTaskAt task: UInt) -> TracedSubscription? {
      task == 0 ? nil : withLife(of: task) { $0?.subscription }
    }

    /// The subscription of the task that runs on the calling thread.
    static var current: TracedSubscription? {
      trace_observes_tasks() && !Inside.isInside
        ? subscription(ofTaskAt: trace_current_task()) : nil
    }

    /// Begins with an empty table.
    static func replaceTable() {
      _ = table.current
      table.replace(TaskLives())
    }

    /// Removes all tasks from the table.
    static func forgetAll() {
      for shard in table.current.shards {
        let removed = shard.lives.withLock { lives in
          defer { lives = [:] }
          return lives
        }
        withExtendedLifetime(removed) {}
      }
    }

    // MARK: What happens to tasks

    /// Records a task that isn't enqueued yet.
    ///
    /// - Parameters:
    ///   - code: The address of the function with which the task begins.
    ///   - frame: The frame of the code that makes the task.
    static func create(_ task: UInt, code: UInt, frame: UInt) {
      guard !Inside.isInside else { return ignoreIfOwn(task) }
      guard let recorder = Recorder.current, recorder.recordsTasks else { return }
      let thread = ThreadContext.current
      // A task that a sink makes.
      guard thread.pointee.sinkDepth == 0 else { return insert(Life(subscription: nil), for: task) }
      if let own = thread.pointee.startingTask {
        let subscription = unsafeDowncast(own, to: TracedSubscription.self)
        OwnTaskReader.number(at: task).map { subscription.noteTask($0) }
        return insert(Life(subscription: subscription, endsItself: true), for: task)
      }
      let place = recorder.locations.table.place(
        of: code, startedFrom: frame, &thread.pointee.places)
      begin(task, in: recorder, creator: trace_current_task(), place)
    }

    /// Ignores a task that the recorder makes for itself.
    private static func ignoreIfOwn(_ task: UInt) {
      guard let name = OwnTaskReader.name(of: task), TaskName.isOfCanary(name) else { return }
      insert(Life(subscription: nil), for: task)
    }

    private static func insert(_ life: Life, for task: UInt) {
      let replaced = withLife(of: task) { known in
        defer { known = life }
        return known
      }
      withExtendedLifetime(replaced) {}
    }

    private static func begin(
      _ task: UInt, in recorder: Recorder, creator: UInt, _ place: PlaceNumber
    ) {
      let number = OwnTaskReader.number(at: task)
      let name = OwnTaskReader.name(of: task)
      if let name, TaskName.isOfCanary(name) { return insert(Life(subscription: nil), for: task) }
      // A name of zero bytes can't be written.
      let lane = name?.isEmpty == true ? nil : name
      if let lane, !recorder.options.lanes.matches(lane) {
        return insert(Life(subscription: nil), for: task)
      }
      let parent = subscription(ofTaskAt: OwnTaskReader.parent(of: task) ?? creator)
      let subscription = TracedSubscription(
        recorder: recorder, site: TaskSites.site(lane, place), observed: place,
        parent: parent.flatMap { $0.recorder === recorder ? $0 : nil },
        cause: ThreadContext.current.pointee.delivering.id(in: recorder), task: number)
      insert(Life(subscription: subscription), for: task)
    }

    /// Records that a task runs again. A task that nobody saw begin is recorded from now on, if it
    /// began after the log: a library that was loaded later has made it. The tasks that the runtime
    /// makes for itself, such as the alarm of a sleep, aren't recorded.
    static func run(_ task: UInt) {
      guard !Inside.isInside else { return }
      let (isKnown, resumed) = withLife(of: task) { life -> (Bool, TracedSubscription?) in
        guard life?.isSuspended == true else { return (life != nil, nil) }
        life?.isSuspended = false
        return (true, life?.subscription)
      }
      resumed?.resumed()
      if !isKnown { adopt(task) }
    }

    @inline(never)
    private static func adopt(_ task: UInt) {
      guard let recorder = Recorder.opened, recorder.recordsTasks,
        let firstTask = recorder.firstTask, let number = OwnTaskReader.number(at: task),
        number > firstTask, ThreadContext.current.pointee.sinkDepth == 0, trace_observe_end(task)
      else { return }
      let code = trace_task_entry(task)
      guard code != 0 else {
        return begin(task, in: recorder, creator: 0, place(ofCallsOf: task, in: recorder))
      }
      guard !trace_is_of_task_runtime(code) else {
        return insert(Life(subscription: nil), for: task)
      }
      let place = recorder.locations.table.place(
        of: UInt(code), startedFrom: 0, &ThreadContext.current.pointee.places)
      begin(task, in: recorder, creator: 0, place)
    }

    /// Records that a task stopped, and what it waits for.
    static func stop(_ task: UInt) {
      guard !Inside.isInside else { return }
      let stopped = withLife(of: task) { life -> TracedSubscription? in
        guard let subscription = life?.subscription, !subscription.hasEnded else { return nil }
        life?.isSuspended = true
        return subscription
      }
      guard let stopped, stopped.recorder.isOpen else { return }
      let wait = OwnTaskReader.wait(of: task)
      var awaited: TracedSubscription?
      if let wait, wait.kind == .task { awaited = subscription(ofTaskAt: wait.address) }
      stopped.suspended(
        on: wait?.kind ?? .continuation, awaited,
        at: place(ofCallsOf: task, in: stopped.recorder))
    }

    /// Returns the place of the asynchronous calls of a task.
    private static func place(ofCallsOf task: UInt, in recorder: Recorder) -> PlaceNumber {
      recorder.locations.table.place(&ThreadContext.current.pointee.places) { body in
        // A location is looked up in the call before a return address.
        OwnTaskReader.visitCalls(of: task, limit: 16) { body($0 &+ 1) }
      }
    }

    /// Records that the code of a task has returned.
    static func end(_ task: UInt) {
      let life = withLife(of: task) { life in
        defer { life = nil }
        return life
      }
      guard let life, !life.endsItself, let subscription = life.subscription else { return }
      if OwnTaskReader.isCancelled(task) {
        subscription.disposed()
      } else {
        subscription.completed()
      }
    }

    /// The number of the task that exits the program, or 0.
    private static let exitingNumber = Atomic<UInt64>(0)

    /// Records the end of the task that exits the program, such as the main task.
    static func endCurrent() {
      let task = trace_current_task()
      guard trace_observes_tasks(), task != 0, !Inside.isInside, !trace_is_in_handler() else {
        return
      }
      if subscription(ofTaskAt: task) != nil, let number = OwnTaskReader.number(at: task) {
        exitingNumber.store(number, ordering: .relaxed)
      }
      end(task)
    }

    /// Returns whether a task is the one that exits the program, and has an end.
    static func isExiting(_ number: UInt64) -> Bool {
      exitingNumber.load(ordering: .relaxed) == number
    }
  }

  extension Recorder {
    /// A Boolean value that indicates whether the lives of all tasks are recorded.
    fileprivate var recordsTasks: Bool {
      isOpen && firstTask != nil && EnvironmentSettings.tracksTasks
    }
  }

  /// The sites of tasks, each shared by all tasks that begin in the same way.
  private enum TaskSites {
    private struct Key: Hashable {
      let name: String?
      let place: Int
    }

    /// The maximum number of sites that are kept. A program can generate any number of names.
    private static let maxCount = 4096
    private static let known = Replaceable { Sites() }

    private final class Sites: Sendable {
      let sites = Guarded<[Key: SharedSite]>([:])
    }

    static func site(_ name: String?, _ place: PlaceNumber) -> SharedSite {
      let key = Key(name: name, place: name == nil ? place.number : 0)
      let table = known.current
      if let site = table.sites.withLock({ $0[key] }) { return site }
      let site = SharedSite(
        TraceSite(name, .task, place: name == nil ? place : nil), type: "-", encodesParts: true)
      return table.sites.withLock { sites in
        if sites.count < maxCount { sites[key] = site }
        return site
      }
    }

    static func beginInChild() { known.replace(Sites()) }
  }

  extension TaskLives {
    /// Begins with new locks in a child process.
    static func beginInChild() {
      replaceTable()
      TaskSites.beginInChild()
    }
  }
#endif
