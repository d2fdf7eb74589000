import TraceFormat

/// Writes lines to standard error.
struct StandardErrorSink: LineSink {
  var isImmediate: Bool { false }

  func take(_ line: [UInt8]) { CText.write(line, to: 2) }

  func close() {}
}

/// Hands records to code of a user.
struct CustomSink: LineSink {
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
