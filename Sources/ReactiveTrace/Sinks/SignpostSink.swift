import TraceFormat

// This code isn't built on Linux, so it only calls os_signpost. TimelaneText makes the messages.
#if canImport(os)
  import ReactiveKit
  import os

  /// A sink that sends records to the Timelane instrument.
  final class SignpostSink: LogSink {
    private let log = OSLog(
      subsystem: TimelaneText.subsystem, category: TimelaneText.category)
    private let sources = Locked<[Int: String]>([:])

    init() { send(TimelaneText.version) }

    var isImmediate: Bool { false }

    func take(_ line: [UInt8]) {
      guard let record = Trace.Record(line: line), let id = record.subscription else { return }
      let source = sources.withLock { sources in
        if record.event == .subscribe { sources[id] = record.source ?? "" }
        let source = sources[id] ?? ""
        if [.completed, .failed, .disposed, .released].contains(record.event) { sources[id] = nil }
        return source
      }
      for text in TimelaneText.texts(of: record, source: source) { send(text) }
    }

    func close() {}

    private func send(_ message: TimelaneText) {
      let type: OSSignpostType =
        switch message.kind {
        case .begin: .begin
        case .end: .end
        case .event: .event
        }
      let id = message.subscription.map { OSSignpostID(UInt64($0)) } ?? .exclusive
      os_signpost(
        type, log: log, name: TimelaneText.signpostName, signpostID: id, "%{public}s", message.text)
    }
  }

  extension Trace.Sink {
    /// A sink that sends records to the Timelane instrument of Xcode's Instruments.
    public static var timelane: Trace.Sink { Trace.Sink(kind: .lines(SignpostSink())) }
  }
#endif
