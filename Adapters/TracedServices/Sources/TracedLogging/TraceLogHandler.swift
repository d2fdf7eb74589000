public import Logging
import ReactiveTrace

/// A log handler that records messages as marks in the trace.
///
/// It writes nothing else, so combine it with the handler that you have:
///
///     LoggingSystem.bootstrap {
///       MultiplexLogHandler([StreamLogHandler.standardError(label: $0), TraceLogHandler($0)])
///     }
///
/// If tracing is off, a message costs one atomic load. Messages that are logged while a sink of the
/// trace takes a record aren't recorded.
public struct TraceLogHandler: LogHandler {
  /// The maximum number of characters of a mark.
  public static let maxLength = 1_000

  public var logLevel: Logger.Level = .info
  public var metadata: Logger.Metadata = [:]
  public var metadataProvider: Logger.MetadataProvider?
  private let label: String

  public init(_ label: String, metadataProvider: Logger.MetadataProvider? = nil) {
    self.label = label
    self.metadataProvider = metadataProvider
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) { Trace.mark(text(of: event)) }

  /// The level, the label, the message, and the metadata sorted by key.
  private func text(of event: LogEvent) -> String {
    var all = metadata
    if let provider = metadataProvider { all.merge(provider.get()) { $1 } }
    if let own = event.metadata { all.merge(own) { $1 } }
    var text = "\(event.level) \(label): \(event.message)"
    if let error = event.error { text += " error=\(error)" }
    for (key, value) in all.sorted(by: { $0.key < $1.key }) { text += " \(key)=\(value)" }
    return text.count <= Self.maxLength ? text : text.prefix(Self.maxLength - 1) + "…"
  }
}
