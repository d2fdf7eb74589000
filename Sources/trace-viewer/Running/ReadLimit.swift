#if os(Linux)
  import Dispatch
  import SystemLibrary
  import ViewerConsole

  /// A limit for reads of another process that never return. The memory can come from a program
  /// (userfaultfd(2)) or from a file of a server, and a program that is stopped doesn't answer.
  enum ReadLimit {
    /// The time that remains for a search after its own limit, in nanoseconds.
    private static let grace = 5_000_000_000

    /// Runs `body`, and calls `giveUp` on another thread if that takes too long.
    ///
    /// - Parameters:
    ///   - limit: The limit of the search itself, in nanoseconds.
    ///   - giveUp: Makes the read return, by ending the process that is read or this one.
    static func run<Value>(
      limit: Int, giveUp: @escaping @Sendable () -> Void, _ body: () -> Value
    ) -> Value {
      let timer = DispatchSource.makeTimerSource(
        queue: DispatchQueue(label: "trace-viewer.read-limit"))
      timer.setEventHandler(handler: giveUp)
      timer.schedule(deadline: .now() + .nanoseconds(limit + grace))
      timer.activate()
      defer { timer.cancel() }
      return body()
    }

    /// Ends this program because a read of a process doesn't return. The system then continues the
    /// process if it is stopped.
    static func end(_ process: Int32) -> Never {
      // The console belongs to the thread that waits for the read.
      let sentence = """
        Error: Process \(process): A read of its memory doesn't return, so the search was given \
        up. The program itself may provide the memory (userfaultfd), or a file on a server that \
        doesn't answer.

        """
      let bytes = Array(sentence.utf8)
      _ = systemWrite(STDERR_FILENO, bytes, bytes.count)
      _exit(ExitCode.inconclusive.rawValue)
    }
  }
#endif
