import InMemoryLogging
import Logging
import ReactiveTrace
import Testing
import TracedLogging

extension ServicesTests {
  @Suite("A logger and the trace")
  struct LoggingTests {
    private struct Broken: Error {}

    private let memory = InMemoryLogHandler()
    /// A logger that only writes to memory.
    private var logger: Logger { Logger(label: "app") { _ in memory } }
    /// A logger that writes to memory and to the trace.
    private var both: Logger {
      Logger(label: "app") { MultiplexLogHandler([memory, TraceLogHandler($0)]) }
    }

    private var messages: [String] { memory.entries.map { "\($0.message)" } }

    @Test("A message is a mark with its level, label and sorted metadata")
    func message() throws {
      let trace = try MemoryTrace()
      var logger = both
      logger[metadataKey: "user"] = "7"
      logger.info("saved", metadata: ["file": "a.txt"])
      logger.error("failed", error: Broken())
      logger.debug("isn't logged at this level")
      #expect(
        trace.marks == [
          "info app: saved file=a.txt user=7", "error app: failed error=Broken() user=7",
        ])
      #expect(messages == ["saved", "failed"])
    }

    @Test("The metadata of a message wins over that of a provider, and that over the logger's")
    func metadata() throws {
      let trace = try MemoryTrace()
      var handler = TraceLogHandler("app", metadataProvider: .init { ["a": "2", "b": "2"] })
      handler.metadata = ["a": "1", "c": "1"]
      Logger(label: "app") { _ in handler }.info("x", metadata: ["b": "3"])
      #expect(trace.marks == ["info app: x a=2 b=3 c=1"])
    }

    @Test("A long message is cut")
    func long() throws {
      let trace = try MemoryTrace()
      both.info("\(String(repeating: "é", count: 5_000))")
      #expect(trace.marks.map(\.count) == [TraceLogHandler.maxLength])
      #expect(trace.marks.first?.hasSuffix("é…") == true)
    }

    @Test("Marks go to the logger, and its messages don't become marks again")
    func marks() throws {
      let trace = try MemoryTrace(and: .marks(to: both, level: .notice))
      Trace.mark("user tapped Save")
      _ = begin("lane")
      #expect(trace.marks == ["user tapped Save"])
      #expect(messages == ["user tapped Save"])
      #expect(memory.entries.map(\.level) == [.notice])
    }

    @Test("Without a trace, messages only go to the other handler")
    func off() {
      both.info("saved")
      #expect(messages == ["saved"])
    }

    @Test("Each message of many threads is one mark, in the order of its thread")
    func concurrency() async throws {
      let trace = try MemoryTrace()
      let logger = both
      await withTaskGroup { group in
        for number in 0..<8 {
          group.addTask { for step in 0..<200 { logger.info("\(number) \(step)") } }
        }
      }
      for number in 0..<8 {
        let own = trace.marks.filter { $0.hasPrefix("info app: \(number) ") }
        #expect(own == (0..<200).map { "info app: \(number) \($0)" })
      }
      #expect(trace.marks.count == 1_600)
      #expect(messages.count == 1_600)
    }

    @Test("Each mark of many threads is logged once")
    func concurrentMarks() async throws {
      // The trace ends at the end of this block, so all marks are delivered.
      do {
        let trace = try MemoryTrace(and: .marks(to: both))
        await withTaskGroup { group in
          for number in 0..<8 {
            group.addTask { for step in 0..<200 { Trace.mark("\(number) \(step)") } }
          }
        }
        withExtendedLifetime(trace) {}
      }
      for number in 0..<8 {
        let own = messages.filter { $0.hasPrefix("\(number) ") }
        #expect(own == (0..<200).map { "\(number) \($0)" })
      }
      #expect(messages.count == 1_600)
    }

    @Test("Undisposed subscriptions have one message for each lane and place")
    func undisposed() async throws {
      let trace = try MemoryTrace()
      let leaks = (0..<3).map { _ in begin("prices") }
      let other = Trace.withScope("GET /alerts") { begin("alerts") }
      let meant = begin("feed", lifetime: .process)
      begin("ended").end()
      let undisposed = await Trace.logUndisposed(to: logger)
      #expect(undisposed?.leaks.map(\.lane) == ["prices", "prices", "prices", "alerts"])
      #expect(messages == ["undisposed subscription", "undisposed subscription"])
      #expect(memory.entries.map(\.level) == [.warning, .warning])
      let facts = memory.entries.map(\.metadata)
      #expect(facts.map { $0["lane"] } == ["prices", "alerts"])
      #expect(facts.map { $0["count"] } == ["3", "1"])
      #expect(facts.map { $0["elements"] } == ["0", "0"])
      #expect(facts.map { $0["scope"] } == [nil, "GET /alerts"])
      #expect(facts.map { $0["subscription"] } == [leaks[0], other].map { "\($0.id ?? 0)" })
      withExtendedLifetime((trace, meant)) {}
    }

    @Test("A program without undisposed subscriptions logs that")
    func clean() async throws {
      let trace = try MemoryTrace()
      begin("ended").end()
      await Trace.logUndisposed(to: logger)
      #expect(messages == ["no undisposed subscriptions"])
      withExtendedLifetime(trace) {}
    }

    @Test("Without a trace, a notice says that nothing is known")
    func unknown() async {
      #expect(await Trace.logUndisposed(to: logger) == nil)
      #expect(messages == ["undisposed subscriptions are unknown, because tracing is off"])
    }
  }
}
