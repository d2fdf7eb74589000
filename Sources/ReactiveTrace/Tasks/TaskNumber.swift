import CRuntime.OwnProcess
import Synchronization

/// The numbers that the runtime gives to tasks, in the order of their creation.
package enum TaskNumber {
  /// Makes a task that ends immediately on the calling thread, and returns its number. All later
  /// tasks have greater ones. Returns nil if the number can't be read.
  static func next() -> UInt64? {
    #if os(Linux)
      // Only the search uses it.
      if Causes.search == nil { return nil }
      let executor = Executor()
      // This task isn't recorded. See `TaskLives`.
      trace_enter()
      defer { trace_leave() }
      _ = Task.detached(executorPreference: executor) {}
      let number = executor.number.load(ordering: .relaxed)
      return number == 0 ? nil : number
    #else
      return nil
    #endif
  }

  /// An executor that runs a job where it is enqueued.
  private final class Executor: TaskExecutor {
    let number = Atomic<UInt64>(0)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      number.store(TaskNumber.number(of: job) ?? 0, ordering: .relaxed)
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Returns the number of the current task, or nil if there isn't one or if it can't be read.
  package static var current: UInt64? {
    if Causes.search == nil { return nil }
    return withUnsafeCurrentTask { task in
      task.flatMap { OwnTaskReader.number(at: unsafeBitCast($0, to: UInt.self)) }
    }
  }

  private static func number(of job: UnownedJob) -> UInt64? {
    OwnTaskReader.number(at: unsafeBitCast(job, to: UInt.self))
  }
}
