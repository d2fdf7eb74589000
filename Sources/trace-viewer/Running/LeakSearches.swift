#if os(Linux)
  import Dispatch
  import LeakDetection
  import SystemLibrary

  /// The searches of processes that are about to end, one after the other on a thread of their own.
  /// In the meantime, the thread that traces lets all other processes run.
  final class LeakSearches: Sendable {
    struct Finished: Sendable {
      let ending: TracedProcesses.Ending
      let result: Result<LeakSearchResult, LeakSearchFailure>
    }

    private struct State {
      var running = 0
      var finished: [Finished] = []
    }

    private let queue = DispatchQueue(label: "trace-viewer.leaks")
    private let state = BlockingMutex(State())

    /// Begins to search a process. When the search ends, this process gets the signal `SIGCHLD`, as
    /// if the other process had changed.
    func begin(_ ending: TracedProcesses.Ending) {
      state.withLock { $0.running += 1 }
      queue.async { [state] in
        let result = Result { () throws(LeakSearchFailure) in
          try LeakSearch.search(
            ending.thread, ending.threads,
            deadline: LogClock.monotonic() + LeakRecorder.limit)
        }
        state.withLock { state in
          state.running -= 1
          state.finished.append(Finished(ending: ending, result: result))
        }
        kill(getpid(), SIGCHLD)
      }
    }

    /// Returns the searches that have ended since the last call.
    func takeFinished() -> [Finished] {
      state.withLock { state in
        defer { state.finished = [] }
        return state.finished
      }
    }

    /// Waits for all searches.
    func wait() { queue.sync {} }
  }
#endif
