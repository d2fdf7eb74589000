import TraceFormat

extension Trace {
  /// Where the records of a log go. A log may have several; they get the same records.
  ///
  ///     let memory = Trace.Memory()
  ///     try Trace.start(to: [.file("log.jsonl"), .memory(memory)])
  public struct Sink: Sendable {
    enum Kind: Sendable {
      case file(String)
      case lines(any LogSink)
    }

    let kind: Kind

    /// A file, which is safe against everything that can happen to the process. A log has at most one. For the path see
    /// `Trace.start(_:options:)`.
    public static func file(_ path: String) -> Sink { Sink(kind: .file(path)) }

    /// The memory of this process.
    public static func memory(_ memory: Memory) -> Sink { Sink(kind: .lines(memory)) }

    /// Standard error as it is now, a line a record, each in one call of the system. Nothing where the program has closed it
    /// and given its number to another file.
    public static var standardError: Sink { Sink(kind: .lines(StandardErrorSink())) }

    /// Code of yours. It gets one record at a time, in their order, on a thread that traces something; that thread waits, and
    /// no lock is held. What traced signals do while `take` runs is not traced; an event that waits until it has returned is.
    /// `close` is called after the last record.
    public static func custom(
      close: @escaping @Sendable () -> Void = {}, _ take: @escaping @Sendable (Record) -> Void
    ) -> Sink {
      Sink(kind: .lines(CustomSink(take, close)))
    }
  }
}

extension Trace {
  /// Starts a log whose records go to several places, or to others than a file.
  ///
  /// Throws where a file cannot be written, where there are two, and where this process writes a log already. See
  /// `Trace.start(_:options:)`.
  public static func start(to sinks: [Sink], options: Options? = nil) throws(TraceError) {
    var path: String?
    var others: [any LogSink] = []
    for sink in sinks {
      switch sink.kind {
      case .file(let other):
        if let path { throw .alreadyWriting(other, beside: path) }
        path = other
      case .lines(let sink): others.append(sink)
      }
    }
    try TracingState.start(path, others, options ?? EnvironmentSettings.options)
  }
}
