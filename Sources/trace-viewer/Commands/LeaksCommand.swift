import SystemLibrary
import TerminalUI
import TraceReports
import ViewerCommandLine
import ViewerConsole

#if os(Linux)
  import SystemLibrary
  import LeakDetection
  import ProcessInspection
#endif

/// The command `trace-viewer leaks PID`: shows which objects of a running process leaked, or of one
/// that a core file describes, and why.
enum LeaksCommand {
  /// The maximum time for which a process is stopped, in nanoseconds.
  private static let limit = 1_000_000_000
  /// The maximum time of a search that doesn't stop the process, in nanoseconds.
  private static let limitOfRunning = 30_000_000_000
  /// The maximum time for a core file, in nanoseconds. Nothing waits for the end.
  private static let limitOfCore = 120_000_000_000

  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let operands = try InspectedOperand.all(console, .leaks)
    let check = try Check(console, inputs: [console.arguments[.compare]].compactMap(\.self))
    #if os(Linux)
      do throws(RunFailure) {
        let folder = try LogFolder(temporary: console.environment["TMPDIR"])
        defer { folder.remove() }
        return try finish(operands, folder, check, console)
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
      _ operands: [InspectedOperand], _ folder: LogFolder, _ check: Check, _ console: Console
    ) throws(RunFailure) -> ExitCode {
      let earlier = try console.arguments[.compare].map {
        path throws(RunFailure) in try ClassComparison(path, console)
      }
      let recorder = LeakRecorder(
        folder, includesAll: console.arguments.has(.all),
        countsClasses: earlier != nil || console.arguments.has(.save))
      var failure: ExitCode?
      for operand in operands {
        switch operand {
        case .process(let process):
          let limit = console.arguments.has(.stop) ? limit : limitOfRunning
          let giveUp = { @Sendable in
            folder.remove()
            ReadLimit.end(process)
          }
          let problem = ReadLimit.run(limit: limit, giveUp: giveUp) {
            search(process, recorder, console)
          }
          guard let problem else { continue }
          console.writeError("Error", problem)
          failure = .cannotInspect
        case .core(let path):
          guard let code = search(core: path, recorder, console) else { continue }
          if failure == nil || code != .inconclusive { failure = code }
        }
      }
      for problem in recorder.problems { console.writeError("Error", problem) }
      if recorder.hasFailed { failure = .cannotInspect }
      guard recorder.logCount > 0 else { return failure ?? .cannotInspect }
      for note in recorder.notes { console.writeError("Note", note) }
      if let path = console.arguments[.save] { try recorder.save(to: path) }
      let logs = RunLogs(folder.files)
      let opened = OpenedLogs(logs.files.map { ($0.path, $0.name) }, console)
      let result = check.finish(opened, console) { folder.remove() }
      if let earlier, !check.outputs.isForProgram {
        console.write(earlier.lines(recorder.classes, console.page))
      }
      return failure ?? result
    }

    /// Searches a core file. Writes why if that isn't possible, and returns the exit code.
    private static func search(
      core path: String, _ recorder: LeakRecorder, _ console: Console
    ) -> ExitCode? {
      switch InspectedCore.open(path, console) {
      case .failure(let failure):
        console.writeError("Error", InspectionWords.sentence(failure, core: path))
        return failure.exitCode
      case .success(let core):
        let deadline = LogClock.monotonic() + limitOfCore
        // Without all references, an object that is in use could look like one that leaked.
        guard core.doubts.isEmpty else { return .inconclusive }
        guard core.isSwift(isInTime: { LogClock.monotonic() < deadline }) else {
          console.writeError("Error", "'\(RawPath.shown(path))': \(LeakWords.notSwift)")
          return .cannotInspect
        }
        let isCertain = recorder.search(core, path, deadline: deadline)
        return isCertain ? nil : .inconclusive
      }
    }

    /// Searches a process. Returns a sentence if that isn't possible.
    private static func search(
      _ process: Int32, _ recorder: LeakRecorder, _ console: Console
    ) -> String? {
      guard let entry = ProcessEntry(process) else {
        return InspectionWords.sentence(.noProcess, process: process)
      }
      guard !entry.isZombie else {
        return InspectionWords.sentence(.hasEnded, process: process)
      }
      if let failure = InspectionFailure.preventing(process) {
        return InspectionWords.sentence(failure, process: process)
      }
      guard SwiftPrograms.runs(process) else {
        return "Process \(process): \(LeakWords.notSwift)"
      }
      guard console.arguments.has(.stop) else {
        recorder.write(
          Result { () throws(LeakSearchFailure) in
            try LeakSearch.searchRunning(process, deadline: LogClock.monotonic() + limitOfRunning)
          }, of: process)
        return nil
      }
      var result: Result<LeakSearchResult, LeakSearchFailure>?
      // Stopping the threads is a part of the time.
      let deadline = LogClock.monotonic() + limit
      let error = StoppedProcess.with(process) { threads in
        result = recorder.search(through: process, threads, deadline: deadline)
      }
      guard let result else {
        let alternative = "Without '--stop', it is searched while it runs."
        guard error != EPERM else {
          let failure = InspectionFailure(stopping: process)
          return "\(InspectionWords.sentence(failure, process: process)) \(alternative)"
        }
        return "Process \(process) cannot be stopped: \(SystemError.reason(error)). \(alternative)"
      }
      if case .failure(.limit) = result {
        return "Process \(process): The search takes longer than a second, for which a process may "
          + "be stopped. Without '--stop', it is searched while it runs."
      }
      recorder.write(result, of: process)
      return nil
    }
  #endif
}
