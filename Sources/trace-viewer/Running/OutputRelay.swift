import CViewer.Commands
import ProcessInspection
import SystemLibrary
import ViewerConsole

#if os(Linux)
  /// A process that copies everything from a new pipe to a stream of this process, and notes when.
  ///
  /// It outlives this process if somebody still has the pipe.
  final class OutputRelay {
    let target: FileIdentity?
    private var relay = process_relay()
    /// The start time in the list of processes.
    private let start: UInt64?

    var input: Int32 { relay.input }

    init(to stream: Int32, _ target: FileIdentity?) throws(RunFailure) {
      self.target = target
      let code = process_start_relay(stream, &relay)
      guard code == 0 else {
        start = nil
        throw RunFailure(
          .cannotRun,
          """
          '--timeout' needs a pipe and a process to notice output, and cannot make them: \
          \(SystemError.reason(code)). Raise the limit (ulimit), or use '--total-timeout' instead.
          """)
      }
      start = ProcessEntry(relay.process)?.start
    }

    /// Returns whether an entry in the list of processes is the relay.
    func isEntry(_ entry: ProcessEntry) -> Bool {
      // Another process can have the number of a relay that has ended.
      entry.process == relay.process && entry.start == start
    }

    /// The time of the monotonic clock when the relay last copied output, in nanoseconds, or nil if
    /// there wasn't any.
    var lastOutput: Int? {
      let time = process_relay_last_change(&relay)
      return time == 0 ? nil : Int(time)
    }

    /// The function that leaked the last continuation, as the Swift runtime printed it.
    var leakedContinuation: String? {
      var line = [CChar](repeating: 0, count: Int(PROCESS_RELAY_LINE_SIZE))
      return process_relay_leak(&relay, &line) > 0 ? SystemError.text(line) : nil
    }

    /// Waits until everything that was written so far has been copied, and closes the pipe. Returns
    /// false if nobody has read for longer than `pause`.
    func finish(maxPause pause: Int) -> Bool {
      defer { process_close_relay(&relay) }
      var received: UInt64?
      var written = process_relay_written(&relay)
      var lastChange = LogClock.monotonic()
      repeat {
        if received == nil {
          var count: UInt64 = 0
          if process_relay_received(&relay, &count) { received = count }
        }
        let now = LogClock.monotonic()
        let current = process_relay_written(&relay)
        if let received, current >= received { return true }
        if current != written { (written, lastChange) = (current, now) }
        if now - lastChange > pause { return false }
      } while !process_relay_has_ended(&relay, 1)
      return true
    }

    /// Waits until the relay has ended, for at most a second: another process can have the pipe.
    func reap() {
      let start = LogClock.monotonic()
      while waitpid(relay.process, nil, WNOHANG) == 0, LogClock.monotonic() - start < 1_000_000_000
      {
        LogClock.pause(.milliseconds(1))
      }
    }
  }
#endif
