import ViewerConsole

#if os(Linux)
  import LeakDetection
#endif

/// The search for leaks in the processes of a command, if `--leaks` asks for it.
struct LeakTracing {
  let tracing: CommandTracing

  #if os(Linux)
    private let recorder: LeakRecorder

    /// Returns nil if the search wasn't requested.
    init?(_ folder: LogFolder, _ console: Console) throws(RunFailure) {
      guard console.arguments.has(.leaks) else { return nil }
      let recorder = LeakRecorder(folder, includesAll: console.arguments.has(.all))
      self.recorder = recorder
      let searches = LeakSearches()
      tracing = CommandTracing(
        processes: TracedProcesses(
          mustNotBeTraced: recorder.mustNotBeTraced, isWanted: recorder.isWanted(_:through:),
          begin: searches.begin),
        searches: searches,
        report: { found in
          recorder.write(found.result, of: found.ending.process, through: found.ending.thread)
        })
    }

    /// Prints what couldn't be searched, and what isn't shown.
    func finish(_ console: Console) {
      for problem in recorder.problems { console.writeError("Warning", problem) }
      let unsearched = tracing.processes.unsearched.map(LeakWords.sentence).sorted()
      for note in unsearched + recorder.notes { console.writeError("Note", note) }
    }
  #else
    /// Returns nil if the search wasn't requested.
    init?(_ folder: LogFolder, _ console: Console) throws(RunFailure) {
      guard console.arguments.has(.leaks) else { return nil }
      throw RunFailure(.usage, "--leaks is only available on Linux.")
    }

    func finish(_ console: Console) {}
  #endif
}
