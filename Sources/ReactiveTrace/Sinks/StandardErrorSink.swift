import TraceFormat
import TraceShims

/// Writes lines to standard error. Nothing where that was closed and another file has its number now.
struct StandardErrorSink: LogSink {
  private static var number: Int32 { 2 }
  /// Standard error as it is when the sink is made.
  private let identity = FileIdentity(Self.number)

  var isImmediate: Bool { false }

  func take(_ line: [UInt8]) {
    let isKnown = identity.map { OwnDescriptor.isOpen(Self.number, $0) } ?? false
    if isKnown || trace_has_standard_error() { ByteOutput.write(line, to: Self.number) }
  }

  func close() {}
}

/// Hands records to code of a user.
struct CustomSink: LogSink {
  private let receive: @Sendable (Trace.Record) -> Void
  private let finish: @Sendable () -> Void

  init(
    _ receive: @escaping @Sendable (Trace.Record) -> Void, _ finish: @escaping @Sendable () -> Void
  ) {
    self.receive = receive
    self.finish = finish
  }

  var isImmediate: Bool { false }

  func take(_ line: [UInt8]) {
    if let record = Trace.Record(line: line) { receive(record) }
  }

  func close() { finish() }
}
