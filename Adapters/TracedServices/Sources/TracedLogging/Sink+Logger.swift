public import Logging
public import ReactiveTrace

extension Trace.Sink {
  /// Returns a sink that logs the marks of the trace.
  ///
  ///     try Trace.start(to: [.file("log.jsonl"), .marks(to: logger)])
  public static func marks(to logger: Logger, level: Logger.Level = .info) -> Trace.Sink {
    .custom { record in
      guard record.event == .mark, let name = record.name else { return }
      logger.log(level: level, "\(name)")
    }
  }
}
