import ReactiveKit
import TraceFormat

extension Trace {
  /// Keeps the records of a log, for tests that assert on what was traced.
  ///
  /// A record is there when the event that it tells of goes on.
  public final class Memory: Sendable {
    private let store = Guarded<[[UInt8]]>([])

    public init() {}

    /// The records so far, the log's first line among them.
    public var records: [Record] { store.withLock { $0 }.compactMap { Record(line: $0) } }

    /// The same as lines of JSON.
    public var lines: [String] {
      store.withLock { $0 }.map { String(decoding: $0.dropLast(), as: UTF8.self) }
    }

    public func removeAll() { store.withLock { $0 = [] } }

    func append(_ line: [UInt8]) { store.withLock { $0.append(line) } }
  }
}

extension Trace.Memory: LogSink {
  package var isImmediate: Bool { true }

  package func take(_ line: [UInt8]) { append(line) }

  package func close() {}
}
