import CViewer.Commands
import SystemLibrary
import ViewerCommandLine
import ViewerConsole

#if os(Linux)
  import TraceReports
  import LeakDetection
  import ProcessInspection
#endif

/// Traces the processes of a command, so that each of them is searched for leaks when it ends.
struct CommandTracing {
  /// What a change of a process means for its parent.
  enum Change {
    /// It is dealt with.
    case handled
    /// The process was stopped for job control.
    case stopped
    /// The process isn't traced, or it has ended.
    case ended
  }

  #if os(Linux)
    let processes: TracedProcesses
    let searches: LeakSearches
    /// Reports the result of a search.
    let report: (LeakSearches.Finished) -> Void

    /// The additional options for `waitpid`, which also reports threads.
    var waitOptions: Int32 { Int32(bitPattern: UInt32(0x4000_0000)) }  // __WALL

    var pause: Int? { processes.pause }

    func start(
      _ path: UnsafePointer<CChar>, _ arguments: [UnsafeMutablePointer<CChar>?],
      _ environment: [UnsafeMutablePointer<CChar>?], _ output: Int32, _ errors: Int32,
      _ process: inout pid_t
    ) -> Int32 {
      process_start_traced(
        path, arguments, environment, output, errors, { TracedProcesses.trace($0) }, &process)
    }

    /// Returns the failure of a command whose processes can't be traced.
    static func failure(of command: String, _ error: Int32) -> RunFailure {
      let failure = InspectionFailure(tracingOwnChildWithError: error)
      return RunFailure(
        failure == nil ? .cannotRun : .cannotInspect,
        InspectionWords.sentence(
          untraceable: ShellText.quoted(command), failure, reason: SystemError.reason(error)))
    }

    func handle(_ process: pid_t, _ status: Int32) -> Change {
      switch processes.handle(process, status: status) {
      case .handled: .handled
      case .stopped: .stopped
      case .ended: .ended
      }
    }

    func checkOverdue() {
      reportFinished()
      processes.checkOverdue()
    }

    private func reportFinished() {
      for process in searches.takeStuck() { processes.release(process) }
      for found in searches.takeFinished() {
        if processes.isOn { report(found) }
        processes.release(found.ending.process)
      }
    }

    /// Waits for the searches of all processes that were about to end before the command ended.
    func finishSearches() {
      while !searches.wait() { reportFinished() }
      reportFinished()
    }

    /// Lets the processes end without a search.
    func stopSearching() { processes.stopSearching() }
  #else
    var waitOptions: Int32 { 0 }
    var pause: Int? { nil }

    func start(
      _ path: UnsafePointer<CChar>, _ arguments: [UnsafeMutablePointer<CChar>?],
      _ environment: [UnsafeMutablePointer<CChar>?], _ output: Int32, _ errors: Int32,
      _ process: inout pid_t
    ) -> Int32 {
      process_start(path, arguments, environment, output, errors, &process)
    }

    static func failure(of command: String, _ error: Int32) -> RunFailure {
      RunFailure(
        .cannotRun, "\(ShellText.quoted(command)) cannot be run: \(SystemError.reason(error)).")
    }

    func handle(_ process: pid_t, _ status: Int32) -> Change { .ended }
    func checkOverdue() {}
    func finishSearches() {}
    func stopSearching() {}
  #endif
}
