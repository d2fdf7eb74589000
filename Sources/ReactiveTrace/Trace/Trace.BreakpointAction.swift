import Synchronization
import TraceFormat

extension Trace {
  /// What a breakpoint does once its record is written.
  public enum BreakpointAction: String, Sendable {
    /// Stops in the debugger where one is attached, else writes a line to standard error and goes on.
    case auto
    /// Raises SIGTRAP whether a debugger is there or not. Without one that ends the program, or has Swift's
    /// backtracer print a crash report.
    case trap
    /// Writes a line to standard error and goes on.
    case log
  }

  private static let chosenAction = Atomic<Int>(-1)
  private static let actions: [BreakpointAction] = [.auto, .trap, .log]

  /// What `breakpoint` and `breakpointOnError` do when they are hit: `.auto`, unless `REACTIVE_TRACE_BREAKPOINT` or
  /// this says otherwise.
  public static var breakpointAction: BreakpointAction {
    get {
      let chosen = chosenAction.load(ordering: .relaxed)
      return chosen < 0 ? EnvironmentSettings.breakpointAction : actions[chosen]
    }
    set { chosenAction.store(actions.firstIndex(of: newValue) ?? 0, ordering: .relaxed) }
  }
}
