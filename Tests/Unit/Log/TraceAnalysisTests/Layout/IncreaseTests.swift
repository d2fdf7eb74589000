import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Increases in a time range")
struct IncreaseTests {
  /// Returns the numbers of subscriptions by lane and place, found one by one.
  private func plain(_ log: LogAnalysis, _ range: TimeRange) -> [String: [Int]] {
    var counts: [String: [Int]] = [:]
    for lifecycle in log.lifecycles {
      guard lifecycle.start >= range.start, lifecycle.start <= range.end,
        lifecycle.isAlive(at: range.end), !lifecycle.livesUntilExit
      else { continue }
      let place = log.observed(of: lifecycle)?.source ?? lifecycle.site.source ?? "nowhere"
      let kind = lifecycle.isTask ? Increase.Kind.tasks : .subscriptions
      let key = "\(kind) \(lifecycle.site.lane) \(place)"
      let old = counts[key] ?? [0, 0]
      counts[key] = [old[0] + 1, old[1] + (lifecycle.isActive ? 1 : 0)]
    }
    return counts
  }

  @Test("The numbers are those of a plain loop", arguments: 0..<(TestLength.isLong ? 20 : 6))
  func oracle(seed: UInt64) throws {
    let files = RandomLog(seed: seed, files: Int(seed % 3) + 1, records: 2000, subscriptions: 300)
      .files
    let log = try LogAnalysis.read(files).analysis
    var numbers = FixedNumbers(seed: seed)
    for _ in 0..<10 {
      let times = (0..<2).map { _ in UInt64.random(in: 0...log.duration.count, using: &numbers) }
      let range = TimeRange(
        from: Nanoseconds(times.min() ?? 0), through: Nanoseconds(times.max() ?? 0))
      let found = Increase.found(in: LogExcerpt(log), range, includesInstances: true)
      let pairs = found.map { row in
        ("\(row.kind) \(row.name) \(row.place ?? "nowhere")", [row.count, row.remaining ?? -1])
      }
      #expect(Set(pairs.map(\.0)).count == pairs.count)
      #expect(Dictionary(pairs) { first, _ in first } == plain(log, range))
      #expect(found.map(\.count) == found.map(\.count).sorted(by: >))
    }
  }

  private func instances(_ second: Int, _ counts: [String: Int], scope: Int) -> String {
    let members = counts.sorted { $0.key < $1.key }.map {
      #"{"name":"\#($0.key)","count":\#($0.value),"bytes":\#($0.value * 32)}"#
    }
    return #"{"t":\#(second * 1_000_000_000),"event":"instances","scope":\#(scope),"members":["#
      + members.joined(separator: ",") + "]}"
  }

  private func grown(_ lines: [String], from start: UInt64, to end: UInt64) throws -> [String] {
    let log = try analyze(SampleLog.make(lines, end: 9_000_000_000))
    let range = TimeRange(
      from: Nanoseconds(start * 1_000_000_000), through: Nanoseconds(end * 1_000_000_000))
    return Increase.found(in: LogExcerpt(log), range, includesInstances: true)
      .map { "\($0.name) \($0.count)" }
  }

  @Test("Instances are compared with the last count before the range, or else with the first in it")
  func instances() throws {
    let lines = [
      instances(1, ["Cart": 1, "Item": 9], scope: 1),
      instances(3, ["Cart": 4, "Item": 8], scope: 2),
      // One count in two records.
      instances(5, ["Cart": 6], scope: 3), instances(5, ["Item": 20, "New": 2], scope: 3),
    ]
    #expect(try grown(lines, from: 2, to: 4) == ["Cart 3"])
    #expect(try grown(lines, from: 2, to: 6) == ["Item 11", "Cart 5", "New 2"])
    #expect(try grown(lines, from: 0, to: 4) == ["Cart 3"])
    #expect(try grown(lines, from: 0, to: 2) == [])
    #expect(try grown(lines, from: 6, to: 8) == [])
  }
}
