import CRuntime.OwnProcess
import Synchronization
import SystemLibrary

/// The observation of all tasks of the program, if `REACTIVE_TRACE_TASKS` requests it.
enum TaskHooks {
  private static let hasWarned = Atomic<Bool>(false)

  /// Begins to observe tasks if the environment requests it. If that isn't possible, a warning says
  /// why, once.
  static func begin() {
    guard EnvironmentSettings.tracksTasks else { return }
    // Without the search, the log wouldn't have the tasks that haven't ended.
    if Causes.search == nil { return warn(Causes.reasonForNone) }
    #if os(Linux)
      if let reason = install() { warn(reason) } else { trace_observe_tasks(true) }
    #else
      warn("this platform isn't supported")
    #endif
  }

  /// Stops observing tasks. Those that run continue.
  ///
  /// At exit, this doesn't free memory and doesn't wait for locks, because a signal handler can
  /// call `exit`.
  static func end(atExit: Bool) {
    #if os(Linux)
      guard trace_observes_tasks() else { return }
      trace_observe_tasks(false)
      if !atExit { TaskLives.forgetAll() }
    #endif
  }

  /// Stops observing tasks in a child process.
  static func endInChild() {
    #if os(Linux)
      guard trace_observes_tasks() else { return }
      trace_observe_tasks(false)
      TaskLives.beginInChild()
    #endif
  }

  private static func warn(_ reason: String) {
    guard !hasWarned.exchange(true, ordering: .relaxed) else { return }
    Diagnostics.warn(
      "\(EnvironmentSettings.prefix)_TASKS is ignored: \(reason). "
        + "The program continues, and its tasks aren't recorded.")
  }

  #if os(Linux)
    /// Returns the reason why tasks can't be observed, or nil if they are.
    private static func install() -> String? {
      guard OwnTaskReader.isLayoutKnown else {
        return "the layout of tasks in this version of the Swift runtime isn't known"
      }
      let observer = trace_task_observer(
        created: { TaskLives.create(UInt($0), code: UInt($1), frame: UInt($2)) },
        runs: { TaskLives.run(UInt($0)) },
        stops: { TaskLives.stop(UInt($0)) },
        ended: { TaskLives.end(UInt($0)) })
      switch trace_install_task_hooks(observer) {
      case trace_task_hooks_installed: return nil
      case trace_task_hooks_platform: return "this platform isn't supported"
      case trace_task_hooks_sanitizer: return "the program runs under a sanitizer"
      case trace_task_hooks_static: return "the Swift runtime is linked statically"
      case trace_task_hooks_protection: return "the system doesn't allow the change of a module"
      default: return "this version of the Swift runtime isn't known"
      }
    }
  #endif
}
