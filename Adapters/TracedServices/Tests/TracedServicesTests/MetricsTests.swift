import CoreMetrics
import MetricsTestKit
import ReactiveTrace
import Testing
import TracedMetrics

extension ServicesTests {
  @Suite("Gauges")
  struct MetricsTests {
    private let backend = TestMetrics()

    private func value(_ kind: String, _ lane: String) -> Double? {
      backend.recorders(label: "reactivekit.\(kind).active", dimensions: [("lane", lane)]).first?
        .lastValue
    }

    @Test("The gauge of a lane has the number of its subscriptions that haven't ended")
    func subscriptions() async throws {
      let trace = try MemoryTrace()
      let metrics = TraceMetrics(factory: backend)
      let (first, second, other) = (begin("prices"), begin("prices"), begin("alerts"))
      await metrics.record()
      #expect(value("subscriptions", "prices") == 2)
      #expect(value("subscriptions", "alerts") == 1)
      first.end()
      other.cancel()
      await metrics.record()
      #expect(value("subscriptions", "prices") == 1)
      #expect(value("subscriptions", "alerts") == 0)
      #expect(backend.recorders.count == 2)
      withExtendedLifetime((trace, second)) {}
    }

    @Test("Traced tasks have gauges of their own")
    func tasks() async throws {
      let trace = try MemoryTrace()
      let metrics = TraceMetrics(factory: backend)
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let task = Trace.task("worker") { for await _ in stream {} }
      await metrics.record()
      #expect(value("tasks", "worker") == 1)
      continuation.finish()
      await task.value
      await metrics.record()
      #expect(value("tasks", "worker") == 0)
      #expect(value("subscriptions", "worker") == nil)
      withExtendedLifetime(trace) {}
    }

    #if os(Linux)
      @Test("All tasks of the process are counted on request")
      func allTasks() async throws {
        await TraceMetrics(factory: backend).record()
        #expect(backend.recorders.isEmpty)
        await TraceMetrics(factory: backend, countsAllTasks: true).record()
        let gauge = try backend.expectGauge("reactivekit.tasks.alive")
        // At least the task of this test is alive.
        #expect(try #require(gauge.lastValue) >= 1)
      }
    #endif

    @Test("After the trace has ended, its gauges are removed")
    func end() async throws {
      let metrics = TraceMetrics(factory: backend)
      do {
        let trace = try MemoryTrace()
        let subscription = begin("prices")
        await metrics.record()
        #expect(value("subscriptions", "prices") == 1)
        withExtendedLifetime((trace, subscription)) {}
      }
      await metrics.record()
      #expect(backend.recorders.isEmpty)
    }

    @Test("Gauges are set until the task is canceled")
    func run() async throws {
      let trace = try MemoryTrace()
      let metrics = TraceMetrics(factory: backend)
      let subscription = begin("prices")
      let task = Task { try await metrics.run(every: .seconds(3600)) }
      while value("subscriptions", "prices") != 1 { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      withExtendedLifetime((trace, subscription)) {}
    }

    @Test("Values of calls at the same time are those of one moment each, in order")
    func concurrency() async throws {
      let trace = try MemoryTrace()
      let metrics = TraceMetrics(factory: backend)
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<100 {
              let subscription = begin("prices")
              await metrics.record()
              subscription.end()
            }
          }
        }
      }
      await metrics.record()
      let gauge = try #require(backend.recorders.first)
      #expect(gauge.values.count == 401)
      // Each call sees its own subscription, and at most those of the other tasks.
      #expect(gauge.values.dropLast().allSatisfy { (1...4).contains($0) })
      #expect(gauge.lastValue == 0)
      withExtendedLifetime(trace) {}
    }
  }
}
