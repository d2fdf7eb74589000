import Synchronization
import TraceFormat

extension Trace {
  /// The action that a breakpoint takes after its record is written.
  public enum BreakpointAction: String, Sendable {
    /// Stops in the debugger if one is attached. Otherwise, writes a line to standard error and
    /// continues.
    case auto
    /// Raises SIGTRAP, with or without a debugger. Without one, SIGTRAP ends the program or makes
    /// Swift's backtracer print a crash report.
    case trap
    /// Writes a line to standard error and continues.
    case log
  }

  private static let chosenAction = Atomic<Int>(-1)
  private static let actions: [BreakpointAction] = [.auto, .trap, .log]

  /// The action that `breakpoint` and `breakpointOnError` take when they are hit.
  ///
  /// The action is `.auto` unless `REACTIVE_TRACE_BREAKPOINT` or this property sets another action.
  public static var breakpointAction: BreakpointAction {
    get {
      let chosen = chosenAction.load(ordering: .relaxed)
      return chosen < 0 ? EnvironmentSettings.breakpointAction : actions[chosen]
    }
    set { chosenAction.store(actions.firstIndex(of: newValue) ?? 0, ordering: .relaxed) }
  }
}
