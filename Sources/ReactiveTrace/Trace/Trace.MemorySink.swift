import ReactiveKit
import TraceFormat

extension Trace {
  /// A sink that keeps the records of a log in memory, for tests that make assertions about them.
  ///
  /// The record of an event is available before the event is forwarded.
  public final class MemorySink: Sendable {
    private let store = Guarded<[[UInt8]]>([])

    public init() {}

    /// The records so far, including the header line of the log.
    public var records: [Record] { store.withLock { $0 }.compactMap { Record(line: $0) } }

    /// The records so far, as lines of JSON.
    public var lines: [String] {
      store.withLock { $0 }.map { String(decoding: $0.dropLast(), as: UTF8.self) }
    }

    public func removeAll() { store.withLock { $0 = [] } }

    func append(_ line: [UInt8]) { store.withLock { $0.append(line) } }
  }
}

extension Trace.MemorySink: LogSink {
  package var isImmediate: Bool { true }

  package func take(_ line: [UInt8]) { append(line) }

  package func close() {}
}
