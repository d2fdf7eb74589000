import Testing

@testable import ReactiveTrace

/// The suites that start this process's log or use its recorder. They run one test at a time.
@Suite("Log of this process", .serialized)
enum ProcessLogTests {}

/// An in-memory log of this process that stops when it is deallocated.
final class ProcessLog {
  let memory = Trace.MemorySink()

  init(_ options: Trace.Options = Trace.Options()) throws {
    try Trace.start(to: [.memory(memory)], options: options)
  }

  deinit { Trace.stop() }

  /// The records of subscriptions, marks and scopes, without the records that every log has.
  var records: [Trace.Record] {
    memory.records.filter { ![.trace, .thread, .end].contains($0.event) }
  }

  /// The records as short words: `1 subscribe`, `1 next a`, `scope-begin screen`.
  var story: [String] {
    records.map { record in
      let words: [String?] = [
        record.subscription.map(String.init), record.event.rawValue,
        record.value ?? record.error ?? record.name,
      ]
      return words.compactMap { $0 }.joined(separator: " ")
    }
  }

  func subscribe(_ lane: String) throws -> Trace.Record {
    try #require(records.first { $0.event == .subscribe && $0.lane == lane })
  }
}
