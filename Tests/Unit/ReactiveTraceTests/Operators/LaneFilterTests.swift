import ReactiveKit
import Testing

@testable import ReactiveTrace

extension ProcessLogTests {
  @Suite("Filters of lane")
  struct LaneFilterTests {
    private func observe(
      _ options: Trace.Options = Trace.Options(),
      _ make: (Signal<Int, Never>) -> Signal<Int, Never>
    ) throws -> ProcessLog {
      let log = try ProcessLog(options)
      make(Signal(sequence: [1, 2])).observe { _ in }.dispose()
      return log
    }

    @Test("lane records what its filter selects, given as an option set or a Set")
    func filters() throws {
      let all = ["1 subscribe", "1 next 1", "1 next 2", "1 completed"]
      let ends = ["1 subscribe", "1 completed"]
      #expect(try observe { $0.lane("a") }.story == all)
      #expect(try observe { $0.lane("a", filter: .all) }.story == all)
      #expect(try observe { $0.lane("a", filter: [.subscription, .event]) }.story == all)
      #expect(try observe { $0.lane("a", filter: Set(LaneType.allCases)) }.story == all)
      #expect(try observe { $0.lane("a", filter: .subscription) }.story == ends)
      #expect(try observe { $0.lane("a", filter: [.subscription]) }.story == ends)
      #expect(try observe { $0.lane("a", filter: Set([.subscription])) }.story == ends)
      #expect(try observe { $0.lane("a", filter: []) }.story == [])
      #expect(try observe { $0.laneIfAvailable("a") }.story == all)
      #expect(try observe { $0.laneIfAvailable("a", filter: Set([.subscription])) }.story == ends)
    }

    @Test("A lane that records only elements has the lifetime of the process")
    func elementsOnly() throws {
      let log = try observe { $0.lane("a", filter: .event) }
      #expect(log.story == ["1 subscribe", "1 next 1", "1 next 2", "1 completed"])
      #expect(try log.subscribe("a").lifetime == .process)
    }

    @Test("lane records only lanes that match the log's patterns")
    func lanes() throws {
      let options = Trace.Options(lanes: "search.*,-*.tick")
      #expect(try observe(options) { $0.lane("search.query") }.story.count == 4)
      #expect(try observe(options) { $0.lane("search.tick") }.story == [])
      #expect(try observe(options) { $0.lane("other") }.story == [])
    }

    @Test("A log without values omits values and error descriptions")
    func withoutValues() throws {
      struct Secret: Error {}
      let log = try ProcessLog(Trace.Options(recordsValues: false))
      Signal<Int, Secret>(sequence: [7]).append(Signal.failed(Secret())).lane("a")
        .observe { _ in }.dispose()
      #expect(log.story == ["1 subscribe", "1 next", "1 failed"])
      #expect(!log.memory.lines.contains { $0.contains("Secret()") })
    }

    @Test("lane calls the formatter only if its text is recorded")
    func formatter() throws {
      var calls = 0
      let describe: (Int) -> String = {
        calls += 1
        return "<\($0)>"
      }
      #expect(
        try observe { $0.lane("a", transformValue: describe) }.story
          == ["1 subscribe", "1 next <1>", "1 next <2>", "1 completed"])
      #expect(calls == 2)
      _ = try observe { $0.lane("a", filter: .subscription, transformValue: describe) }
      _ = try observe(Trace.Options(lanes: "-a")) { $0.lane("a", transformValue: describe) }
      _ = try observe(Trace.Options(recordsValues: false)) {
        $0.lane("a", transformValue: describe)
      }
      Trace.stop()
      Signal<Int, Never>(just: 1).lane("a", transformValue: describe).observe { _ in }.dispose()
      #expect(calls == 2)
    }

    @Test("A lane without a name is named after its source location")
    func nameless() throws {
      let log = try observe { $0.lane() }
      let record = try #require(log.records.first)
      #expect(record.lane == record.source)
      #expect(record.source?.hasPrefix("ReactiveTraceTests/LaneFilterTests.swift:") == true)
    }
  }
}
