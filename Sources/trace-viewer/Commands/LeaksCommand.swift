import SystemLibrary
import TerminalUI
import TraceReports
import ViewerCommandLine
import ViewerConsole

#if os(Linux)
  import LeakInspection
  import ProcessInspection
#endif

/// The command `trace-viewer leaks PID`: shows which objects of a running process leaked, and why.
enum LeaksCommand {
  /// The maximum time for which a process is stopped, in nanoseconds.
  private static let limit = 1_000_000_000

  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    guard !console.arguments.operands.isEmpty else { throw .missingOperand(.leaks) }
    var processes: [Int32] = []
    for word in console.arguments.operands {
      guard let process = Int32(word), process > 0 else { throw .notAProcess(word, .leaks) }
      processes.append(process)
    }
    let check = try Check(console, inputs: [])
    #if os(Linux)
      do throws(RunFailure) {
        let folder = try LogFolder(temporary: console.environment["TMPDIR"])
        defer { folder.remove() }
        return finish(processes, folder, check, console)
      } catch {
        console.writeError("Error", error.sentence)
        return error.code
      }
    #else
      console.writeError("Error", "Processes can only be searched on Linux.")
      return .cannotInspect
    #endif
  }

  #if os(Linux)
    private static func finish(
      _ processes: [Int32], _ folder: LogFolder, _ check: Check, _ console: Console
    ) -> ExitCode {
      let recorder = LeakRecorder(folder, includesAll: console.arguments.has(.all))
      var code = ExitCode.clean
      for process in processes {
        if let problem = search(process, recorder) {
          console.writeError("Error", problem)
          code = .cannotInspect
        }
      }
      for problem in recorder.problems { console.writeError("Error", problem) }
      guard recorder.logCount > 0 else { return .cannotInspect }
      if let note = recorder.note { console.writeError("Note", note) }
      let logs = RunLogs(folder.files)
      let opened = OpenedLogs(logs.files.map { ($0.path, $0.name) }, console)
      let result = check.finish(opened, console) { folder.remove() }
      return recorder.problems.isEmpty && code == .clean ? result : .cannotInspect
    }

    /// Searches a process. Returns a sentence if that isn't possible.
    private static func search(_ process: Int32, _ recorder: LeakRecorder) -> String? {
      guard let entry = ProcessEntry(process) else { return "There is no process \(process)." }
      guard !entry.isZombie else { return "Process \(process) has ended." }
      guard SwiftPrograms.runs(process) else {
        return "Process \(process): \(LeakWords.sentence(.noSwift))"
      }
      var result: Result<LeakReport, LeakSearchFailure>?
      let error = StoppedProcess.with(process) { threads in
        result = recorder.search(process, through: process, threads, limit: limit)
      }
      guard let result else {
        return "Process \(process) cannot be stopped: \(SystemError.reason(error))."
      }
      recorder.write(result, of: process)
      return nil
    }
  #endif
}
