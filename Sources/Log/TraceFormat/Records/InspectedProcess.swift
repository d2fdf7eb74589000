/// What an inspection found out about a process, besides its tasks.
package struct InspectedProcess: Equatable, Sendable {
  /// What is known about the tasks. The raw value is the text of the key `state`.
  package enum TaskList: String, CaseIterable, Sendable {
    case complete
    /// Time ran out.
    case incomplete
    /// The program doesn't use Swift concurrency, or its symbols were removed.
    case noRuntime = "no-runtime"
    /// The layouts of the runtime aren't known.
    case unknownLayout = "unknown-layout"
    /// A part of a core file, or the file of a program or a library, can't be read.
    case unread
  }

  package var parent: UInt64
  /// The arguments with which the process was started.
  package var command: [String]
  package var taskList: TaskList
  /// The version of the runtime's layouts, if they aren't known.
  package var layout: UInt64?
  /// The process that traces this one, such as a debugger.
  package var tracer: UInt64?
  /// The number of threads without a record, because there are too many.
  package var missingThreads: Int
  /// The threads in the order of their records.
  package var threads: [ThreadStack] = []
  /// The most probable reasons why the process hangs.
  package var hangs: [Hang] = []

  package init(
    parent: UInt64, command: [String], taskList: TaskList, layout: UInt64? = nil,
    tracer: UInt64? = nil, missingThreads: Int = 0
  ) {
    self.parent = parent
    self.command = command
    self.taskList = taskList
    self.layout = layout
    self.tracer = tracer
    self.missingThreads = missingThreads
  }
}

/// What a thread does or waits for.
package struct ThreadActivity: Hashable, Sendable {
  /// The raw value is the text of the key `kind`.
  package enum Kind: String, CaseIterable, Sendable {
    case running, semaphore, lock, condition
    /// Its turn on a dispatch queue.
    case queue
    /// The end of the work of a dispatch group.
    case group
    case sleep
    /// The end of a child process.
    case child
    /// The end of another thread.
    case join
    /// Data from a file, a pipe or a socket, or room in one.
    case read, write
    /// A connection from a client, or to a server.
    case accept, connect
    /// That another process or thread opens the same FIFO.
    case open
    /// Other threads at a barrier.
    case barrier
    /// A signal.
    case signal
    /// An event of an event loop or a run loop.
    case events
    case fileLock = "file-lock"
    /// The initialization of a global or static variable.
    case once
    /// A message of a queue of the system.
    case message
    /// That a signal or a debugger lets it continue.
    case stopped
    /// Work for a thread of a pool.
    case idle
    /// Something else, in the kernel.
    case other
  }

  package let kind: Kind
  /// The file, the address of a socket, the label of the queue, or the variable, if that is known.
  package let object: String?
  /// The thread that has what this one waits for, if that is known.
  package let holder: Int32?
  /// The process that has what this thread waits for, if that is known.
  package let process: Int32?

  package init(
    _ kind: Kind, on object: String? = nil, heldBy holder: Int32? = nil, process: Int32? = nil
  ) {
    self.kind = kind
    self.object = object
    self.holder = holder
    self.process = process
  }
}

/// A thread of a process with its calls.
package struct ThreadStack: Equatable, Sendable {
  /// The number that the system gave to the thread.
  package var thread: Int32
  package var name: String
  package var activity: ThreadActivity
  /// The task that the thread runs.
  package var task: SubscriptionID?
  /// A Boolean value that indicates whether the thread ran or ended during the inspection.
  package var hasMoved: Bool
  /// The calls, innermost first.
  package var calls: [UnfinishedTask.Call]
  /// The innermost call of the inspected package, or else of one that it depends on.
  package var place: UnfinishedTask.Call?
  /// The time since which the thread has been in the same place.
  package var since = Nanoseconds.zero

  package init(
    thread: Int32, name: String, activity: ThreadActivity, task: SubscriptionID? = nil,
    hasMoved: Bool = false, calls: [UnfinishedTask.Call] = []
  ) {
    self.thread = thread
    self.name = name
    self.activity = activity
    self.task = task
    self.hasMoved = hasMoved
    self.calls = calls
  }
}

/// The most probable reason why a process, or one of its tests, hangs.
package struct Hang: Equatable, Sendable {
  /// The raw value is the text of the key `kind`.
  package enum Cause: String, CaseIterable, Sendable {
    /// A signal or a debugger has stopped the process.
    case stopped
    /// Tasks wait for each other's ends.
    case taskCycle = "task-cycle"
    /// Threads wait for each other's locks, queues or ends.
    case lockCycle = "lock-cycle"
    /// All threads that run tasks are blocked, and other tasks wait for a thread.
    case blockedPool = "blocked-pool"
    case blockedThread = "blocked-thread"
    /// A thread or a task runs, or did something between two looks.
    case busy
    case continuation
    /// A task waits for its turn on an executor.
    case executor
    /// All tasks and threads wait for work, such as those of a server without requests.
    case rest
    case unknown
  }

  package var cause: Cause
  /// A Boolean value that indicates whether nothing can end the wait.
  package var isProven: Bool
  /// The name of the test that waits.
  package var test: String?
  /// What a task does while it waits for a continuation, if that is known.
  package var pause: UnfinishedTask.Pause?
  /// The type of the executor, if that is known.
  package var executor: String?
  /// The tasks: each waits for the next one, and the last one is at the bottom, or waits for the
  /// first one.
  package var tasks: [SubscriptionID] = []
  /// The threads, in the same order.
  package var threads: [Int32] = []
  /// The lines to look at, the most important first.
  package var places: [UnfinishedTask.Call] = []

  package init(_ cause: Cause, isProven: Bool = false, test: String? = nil) {
    self.cause = cause
    self.isProven = isProven
    self.test = test
  }
}
