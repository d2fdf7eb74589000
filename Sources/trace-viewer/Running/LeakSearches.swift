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
      var finished: [Finished] = []
      /// Processes whose searches wait for a read that doesn't return.
      var stuck: [Int32] = []
    }

    private let queue = DispatchQueue(label: "trace-viewer.leaks")
    private let running = DispatchGroup()
    private let state = BlockingMutex(State())

    /// Begins to search a process. When the search ends, this process gets the signal `SIGCHLD`, as
    /// if the other process had changed.
    func begin(_ ending: TracedProcesses.Ending) {
      queue.async(group: running) { [state] in
        let giveUp = { @Sendable in
          state.withLock { $0.stuck.append(ending.process) }
          kill(getpid(), SIGCHLD)
        }
        let result = ReadLimit.run(limit: LeakRecorder.limit, giveUp: giveUp) {
          Result { () throws(LeakSearchFailure) in
            try LeakSearch.search(
              ending.thread, ending.threads,
              deadline: LogClock.monotonic() + LeakRecorder.limit)
          }
        }
        state.withLock { $0.finished.append(Finished(ending: ending, result: result)) }
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

    /// Returns the processes that must end before their searches can, since the last call.
    func takeStuck() -> [Int32] {
      state.withLock { state in
        defer { state.stuck = [] }
        return state.stuck
      }
    }

    /// Waits for all searches, at most for a tenth of a second. Returns whether they have ended.
    func wait() -> Bool { running.wait(timeout: .now() + .milliseconds(100)) == .success }
  }
#endif
