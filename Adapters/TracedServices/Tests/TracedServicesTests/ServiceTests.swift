import InMemoryLogging
import Logging
import ReactiveTrace
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing
import TracedServiceLifecycle

extension ServicesTests {
  @Suite("The service")
  struct ServiceTests {
    private let memory = InMemoryLogHandler()
    private var logger: Logger { Logger(label: "app") { _ in memory } }
    private var messages: [String] { memory.entries.map { "\($0.message)" } }

    private func group(_ services: any Service...) -> ServiceGroup {
      ServiceGroup(services: services, logger: Logger(label: "group") { _ in InMemoryLogHandler() })
    }

    @Test("At graceful shutdown, undisposed subscriptions are logged, and the trace ends")
    func leak() async throws {
      let trace = try MemoryTrace()
      let leak = begin("prices")
      try await testGracefulShutdown { trigger in
        trigger.triggerGracefulShutdown()
        try await TraceService(logger: logger, grace: .zero).run()
      }
      #expect(messages == ["undisposed subscription"])
      #expect(memory.entries.first?.metadata["lane"] == "prices")
      #expect(!Trace.isOn)
      #expect(trace.records.last?.event == .end)
      withExtendedLifetime(leak) {}
    }

    @Test("What other services dispose when they shut down isn't reported")
    func order() async throws {
      let trace = try MemoryTrace()
      let started = AsyncStream<Void>.makeStream()
      let group = group(
        TraceService(logger: logger, grace: .zero, failsIfUndisposed: true),
        ClosureService {
          let subscriptions = (0..<20).map { begin("lane \($0)") }
          started.continuation.yield()
          try await gracefulShutdown()
          for subscription in subscriptions { subscription.end() }
        })
      async let run: Void = group.run()
      for await _ in started.stream { break }
      await group.triggerGracefulShutdown()
      try await run
      #expect(messages == ["no undisposed subscriptions"])
      withExtendedLifetime(trace) {}
    }

    @Test("The service fails on request if there are undisposed subscriptions")
    func failure() async throws {
      let trace = try MemoryTrace()
      let leak = begin("prices")
      let error = await #expect(throws: Trace.Undisposed.self) {
        try await testGracefulShutdown { trigger in
          trigger.triggerGracefulShutdown()
          try await TraceService(logger: logger, grace: .zero, failsIfUndisposed: true).run()
        }
      }
      #expect(error?.leaks.map(\.lane) == ["prices"])
      #expect(!Trace.isOn)
      withExtendedLifetime((trace, leak)) {}
    }

    @Test("Without a trace, the service can't tell, which is an error on request")
    func unknown() async throws {
      try await testGracefulShutdown { trigger in
        trigger.triggerGracefulShutdown()
        try await TraceService(logger: logger).run()
      }
      #expect(memory.entries.map(\.level) == [.notice])
      await #expect(throws: TraceService.NotTraced.self) {
        try await testGracefulShutdown { trigger in
          trigger.triggerGracefulShutdown()
          try await TraceService(logger: logger, failsIfUndisposed: true).run()
        }
      }
    }

    @Test("If the group is canceled, the trace ends without a check")
    func cancellation() async throws {
      let trace = try MemoryTrace()
      let leak = begin("prices")
      let service = TraceService(logger: logger)
      let task = Task { try await service.run() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(messages.isEmpty)
      #expect(trace.records.last?.event == .end)
      withExtendedLifetime(leak) {}
    }

    @Test("A check waits for subscriptions that other tasks end")
    func grace() async throws {
      let trace = try MemoryTrace()
      let subscriptions = (0..<100).map { begin("lane \($0)") }
      async let ends: Void = Task.detached { for each in subscriptions { each.end() } }.value
      try await testGracefulShutdown { trigger in
        trigger.triggerGracefulShutdown()
        try await TraceService(logger: logger, grace: .seconds(20)).run()
      }
      await ends
      #expect(messages == ["no undisposed subscriptions"])
      withExtendedLifetime(trace) {}
    }
  }
}
