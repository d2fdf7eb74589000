import ReactiveTrace
import Testing

/// The suites that start the trace of this process. They run one test at a time.
@Suite("Services with a trace", .serialized, .timeLimit(.minutes(5)))
enum ServicesTests {}

/// A trace in memory that ends when it is deallocated.
final class MemoryTrace {
  private let memory = Trace.MemorySink()

  init(and others: Trace.Sink...) throws {
    try Trace.start(to: [.memory(memory)] + others)
  }

  deinit { Trace.stop() }

  var records: [Trace.Record] { memory.records }
  var marks: [String] { memory.records.filter { $0.event == .mark }.compactMap(\.name) }
}

/// Begins a subscription on a lane.
func begin(_ lane: String, lifetime: Trace.Lifetime = .normal) -> Trace.Subscription {
  let subscription = Trace.Subscription(name: lane, lifetime: lifetime)
  subscription.begin()
  return subscription
}
