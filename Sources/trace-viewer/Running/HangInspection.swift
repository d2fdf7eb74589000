import CViewer.Commands
import ProcessInspection
import SystemLibrary
import TraceAnalysis
import TraceFormat
import TraceReports

#if os(Linux)
  import LeakDetection
#endif

/// Inspects all processes of a command.
struct HangInspection {
  /// The maximum number of processes to inspect.
  private static let maxProcesses = 64
  /// The maximum time for one process, in nanoseconds.
  private static let limit = 5_000_000_000

  let hang: RunHang

  #if os(Linux)
    /// Returns whether a process runs a Swift program that can have tasks without symbols that lead
    /// to them.
    private static func hidesTasks(_ inspection: Inspection) -> Bool {
      let process = inspection.process.process
      return inspection.taskList == .noRuntime && SwiftPrograms.runs(process)
        && !SwiftPrograms.isOfToolchain(process)
    }
  #endif

  /// - Parameters:
  ///   - limit: The time limit that the command reached, or nil.
  ///   - streams: The streams of the command.
  init(command: String, limit: RunLimit?, _ streams: CommandStreams) {
    let started = LogIdentity(about: getpid(), named: "").started
    var logs: [LogSource] = []
    var others: [ProcessEntry] = []
    #if os(Linux)
      // The command can be a run that has relays of its own.
      let all = streams.processes().filter { $0.name != PROCESS_RELAY_NAME }
      for (index, entry) in all.enumerated() {
        guard index < Self.maxProcesses else {
          others.append(entry)
          continue
        }
        // At a time limit, the process is ended anyway.
        let giveUp = { @Sendable in
          if limit != nil { kill(entry.process, SIGKILL) }
        }
        let inspection = ReadLimit.run(limit: Self.limit, giveUp: giveUp) {
          try? Inspection(ofProcess: entry.process, limit: Self.limit)
        }
        if let inspection, inspection.hasUserCode || Self.hidesTasks(inspection) {
          logs.append(LogSource(name: entry.name, bytes: InspectionLog(inspection).bytes))
        } else {
          others.append(entry)
        }
      }
    #endif
    let log = (try? LogAnalysis.read(logs).0) ?? .empty
    hang = RunHang(
      command: command, limit: limit, started: started, log: log, others: others,
      leakedContinuation: streams.leakedContinuation)
  }
}
