#if os(Linux)
  import Dispatch
  import SystemLibrary
  import ViewerConsole

  /// A limit for reads of another process that never return. The memory can come from a program
  /// (userfaultfd(2)) or from a file of a server, and a program that is stopped doesn't answer.
  enum ReadLimit {
    /// The time that remains for a search after its own limit, in nanoseconds.
    private static let grace = 5_000_000_000

    /// Runs `body`, or ends this program if that takes too long. The system then continues the
    /// process if it is stopped.
    ///
    /// - Parameters:
    ///   - limit: The limit of the search itself, in nanoseconds.
    ///   - expire: Removes what this program has created.
    static func run<Value>(
      _ process: Int32, limit: Int, expire: @escaping @Sendable () -> Void, _ body: () -> Value
    ) -> Value {
      let timer = DispatchSource.makeTimerSource(
        queue: DispatchQueue(label: "trace-viewer.read-limit"))
      timer.setEventHandler {
        // The console belongs to the thread that waits for the read.
        let sentence = """
          Error: Process \(process): A read of its memory doesn't return, so the search was given \
          up. The program itself may provide the memory (userfaultfd), or a file on a server that \
          doesn't answer.

          """
        let bytes = Array(sentence.utf8)
        _ = systemWrite(STDERR_FILENO, bytes, bytes.count)
        expire()
        _exit(ExitCode.inconclusive.rawValue)
      }
      timer.schedule(deadline: .now() + .nanoseconds(limit + grace))
      timer.activate()
      defer { timer.cancel() }
      return body()
    }
  }
#endif
