import TraceFormat

extension Trace {
  /// A destination for the records of a log. A log can have several sinks, and each gets all
  /// records.
  ///
  ///     let memory = Trace.MemorySink()
  ///     try Trace.start(to: [.file("log.jsonl"), .memory(memory)])
  public struct Sink: Sendable {
    enum Kind: Sendable {
      case file(String)
      case lines(any LogSink)
    }

    let kind: Kind

    /// Returns a sink that writes to a file. The records in the file survive a crash or a kill of
    /// the process. A log has at most one file. For the format of the path, see
    /// `Trace.start(_:options:)`.
    public static func file(_ path: String) -> Sink { Sink(kind: .file(path)) }

    /// Returns a sink that keeps the records in the memory of this process.
    public static func memory(_ memory: MemorySink) -> Sink { Sink(kind: .lines(memory)) }

    /// A sink that writes to the current standard error. Each record is one line, written in one
    /// system call. The sink doesn't write if the program has closed standard error and its
    /// descriptor now belongs to another file.
    public static var standardError: Sink { Sink(kind: .lines(StandardErrorSink())) }

    /// Returns a sink that forwards records to your code.
    ///
    /// `take` receives one record at a time, in order, on a thread that traces. That thread waits
    /// for `take` without holding a lock. Events that traced signals send inside `take` aren't
    /// traced. Events that are sent after `take` has returned are traced. `close` is called after
    /// the last record.
    public static func custom(
      close: @escaping @Sendable () -> Void = {}, _ take: @escaping @Sendable (Record) -> Void
    ) -> Sink {
      Sink(kind: .lines(CustomSink(take, close)))
    }
  }
}

extension Trace {
  /// Starts a log that writes to several sinks, or to sinks other than a file.
  ///
  /// If `REACTIVE_TRACE` has started a log, a single file has no effect, as with
  /// `Trace.start(_:options:)`. Other sinks wouldn't receive records, so requesting them is an
  /// error.
  ///
  /// Throws an error if a file can't be written, if there are two files, or if this process already
  /// writes a log.
  public static func start(to sinks: [Sink], options: Options? = nil) throws(TraceError) {
    var path: String?
    var others: [any LogSink] = []
    for sink in sinks {
      switch sink.kind {
      case .file(let other):
        if let path { throw .alreadyWriting(other, current: path) }
        path = other
      case .lines(let sink): others.append(sink)
      }
    }
    try TracingState.start(path, others, options ?? EnvironmentSettings.options)
  }
}
