package import ProcessMemory
import SwiftRuntime
import SystemLibrary
package import TaskInspection

/// What a process does at one moment: its tasks, its threads, and who waits for whom.
///
/// The process continues to run during the inspection. Each thread is stopped only to read its
/// registers and its stack.
package struct Inspection: Sendable {
  /// The version of the concurrency runtime's private layouts, if it is why tasks are missing.
  package enum TaskList: Equatable, Sendable {
    /// All tasks were found, unless `isComplete` is false.
    case found(isComplete: Bool)
    /// The program doesn't use Swift concurrency, or its symbols were removed.
    case noRuntime
    /// The layouts of the runtime aren't known. The version is nil if the runtime doesn't have one,
    /// like those before Swift 6.2.
    case unknownLayout(version: UInt32?)
    /// A part of a core file, or the file of a program or a library, can't be read.
    case unread

    /// A Boolean value that indicates whether the tasks aren't known, and it isn't a lack of time.
    package var isOfUnknownRuntime: Bool {
      switch self {
      case .found, .noRuntime: false
      case .unknownLayout, .unread: true
      }
    }
  }

  package let process: ProcessEntry
  package let taskList: TaskList
  package let tasks: [InspectedTask]
  package let threads: [InspectedThread]
  /// The number of threads that aren't in `threads`, because there are too many.
  package let missingThreads: Int
  /// The process that traces this one, such as a debugger.
  package let tracer: Int32?
  /// Who waits for whom among the tasks.
  package let waits: TaskWaits
  /// The number of threads of the pool that runs tasks: that of the processors that the process
  /// may use.
  let poolSize: Int
  /// A Boolean value that indicates whether clients can connect to the process.
  let hasListener: Bool
  /// A Boolean value that indicates whether it isn't known what moves.
  let isOfOneMoment: Bool
  /// A Boolean value that indicates whether the Swift runtime is part of the program. Then it can
  /// have tasks although the symbols that lead to them were removed.
  let hasStaticRuntime: Bool
  /// The labels of the global queues of libdispatch that have work that no thread has begun.
  let waitingQueues: [String]
  /// The running tests.
  package private(set) var tests: [InspectedTest] = []
  /// The most probable reasons why the process hangs: one finding for each test that waits, or one
  /// for the process if it runs no test. A cause that explains everything is the only finding.
  package private(set) var findings: [HangFinding] = []

  package init(
    process: ProcessEntry, taskList: TaskList, tasks: [InspectedTask],
    threads: [InspectedThread], missingThreads: Int = 0, tracer: Int32? = nil, poolSize: Int,
    hasListener: Bool = false, isOfOneMoment: Bool = false, hasStaticRuntime: Bool = false,
    waitingQueues: [String] = []
  ) {
    self.process = process
    self.taskList = taskList
    self.tasks = tasks
    self.threads = threads
    self.missingThreads = missingThreads
    self.tracer = tracer
    self.poolSize = poolSize
    self.hasListener = hasListener
    self.isOfOneMoment = isOfOneMoment
    self.hasStaticRuntime = hasStaticRuntime
    self.waitingQueues = waitingQueues
    waits = TaskWaits(tasks.map(\.record))
    tests = InspectedTest.all(in: self)
    findings = HangSearch(self).findings
  }
}

extension Inspection {
  /// A Boolean value that indicates whether a task or a thread has a call of code that isn't the
  /// system's.
  package var hasUserCode: Bool {
    let frames = [tasks.map(\.frames), threads.map(\.frames)].joined().joined()
    return frames.contains { $0.origin != .system && !$0.isEntry }
  }
}
