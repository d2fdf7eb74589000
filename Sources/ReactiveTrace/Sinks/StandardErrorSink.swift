import CRuntime.OwnProcess
import SystemLibrary
import TraceFormat

/// A sink that writes lines to standard error. It doesn't write if standard error was closed and
/// its descriptor now belongs to another file.
struct StandardErrorSink: LogSink {
  private static var number: Int32 { 2 }
  /// The identity of standard error when the sink was made.
  private let identity = FileIdentity(Self.number)

  var isImmediate: Bool { false }

  func take(_ line: [UInt8]) {
    let isKnown = identity.map { OwnDescriptor.isOpen(Self.number, $0) } ?? false
    if isKnown || trace_has_standard_error() { ByteOutput.write(line, to: Self.number) }
  }

  func close() {}
}

/// A sink that forwards records to user code.
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
