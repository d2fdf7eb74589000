import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Tracing of all observations", .ownThread, .lookUpInTime)
struct ObservationTests {
  private func analysis(_ arguments: [String]) throws -> (LogAnalysis, [[String: Any]], String) {
    let log = try TemporaryLog()
    let result = try Helper.finishWithNames(arguments, trace: log.path)
    #expect(result.status == 0)
    #expect(result.errors == "")
    return (try LogAnalysis.read(LogSource(path: log.path)), try log.records(), result.output)
  }

  @Test("An observation with a lane is recorded as the lane's subscription only")
  func laned() throws {
    let (analysis, records, _) = try analysis(["laned"])
    let active = analysis.lifecycles.filter { $0.state == .active }
    #expect(
      active.dropLast().map(\.site.lane)
        == ["plain", "mapped", "debounced", "received", "prepended", "process"])
    #expect(active.last?.site.op == .observe)
    #expect(active.allSatisfy { $0.parent == nil })
    // The lane upstream of `prepend` begins after the first element.
    #expect(analysis.lifecycles.count == active.count + 1)
    let verdict = Verdict(analysis, RuleSettings())
    #expect(verdict.findings.count { $0.rule == "undisposed" } == 6)
    #expect(records.count { $0["event"] as? String == "place" } == 9)
  }

  @Test("An observation whose lanes cover only parts has an unnamed subscription")
  func joined() throws {
    let (analysis, _, _) = try analysis(["joined"])
    let lanes = analysis.lifecycles.map { $0.site.op == .observe ? "-" : $0.site.lane }
    #expect(lanes == ["-", "left", "right", "-", "inner"])
    let ids = analysis.lifecycles.map(\.id)
    #expect(analysis.lifecycles.map(\.parent) == [nil, ids[0], ids[0], nil, ids[3]])
  }

  @Test("Connections kept alive or made with connect are recorded")
  func connections() throws {
    let (analysis, _, _) = try analysis(["keep-alive"])
    #expect(analysis.lifecycles.map(\.state) == [.disposed, .active, .active])
    #expect(analysis.lifecycles[1].parent == analysis.lifecycles[0].id)
  }

  @Test(
    "A shared connection's subscriptions move to a remaining observer",
    arguments: [true, false])
  func moved(isAll: Bool) throws {
    let log = try TemporaryLog()
    let settings = isAll ? ["REACTIVE_TRACE_ALL": "1"] : [:]
    let result = try Helper(["shared"], trace: log.path, settings).finish()
    #expect(result.status == 0 && result.errors == "")
    let analysis = try LogAnalysis.read(LogSource(path: log.path))
    /// Returns, for each active subscription of a lane, the lane of its parent.
    func owners(_ lane: String) -> [String] {
      analysis.lifecycles.filter { $0.isActive && $0.site.lane == lane }.map { lifecycle in
        guard let parent = analysis.parent(of: lifecycle) else { return "-" }
        let owner = analysis.lifecycles[parent]
        return owner.site.op == .observe ? "\(owner.isActive)" : owner.site.lane
      }
    }
    #expect(owners("laned.source") == ["second"])
    #expect(owners("plain.source") == [isAll ? "true" : "-"])
    // The last of four observers stays.
    #expect(owners("runner") == ["-"])
    #expect(owners("inner") == [isAll ? "true" : "runner"])
    let undisposed = Verdict(analysis).findings
    #expect(undisposed.map(\.rule) == ["undisposed", "undisposed", "undisposed"])
    // All observers of a source except its first one.
    let shared = analysis.lifecycles.filter(\.isShared).map(\.site.lane)
    #expect(shared.count { $0 == "runner" } == 3 && shared.contains("second"))
    #expect(!shared.contains("first") && !shared.contains("inner"))
  }

  @Test("Equal elements are only duplicates if they come from the same source")
  func sources() throws {
    let (analysis, records, _) = try analysis(["equal-elements"])
    let found = Verdict(analysis).findings.filter { $0.rule == "duplicate" }
    let lanes = found.map { (analysis.lifecycles[$0.lifecycle].site.lane, $0.members.count) }
    #expect(
      Dictionary(lanes, uniquingKeysWith: +) == [
        "same.request": 3, "same.mapped": 3, "same.latest": 3, "same.both": 3, "same.deferred": 3,
      ])
    // Only these need a record.
    #expect(records.count { $0["twin"] as? Int ?? 0 > 0 } == 10)
  }

  #if os(Linux)
    @Test("An iteration is named after its function, even if the call doesn't have a line")
    func values() throws {
      let (analysis, _, _) = try analysis(["values"])
      let site = try #require(analysis.lifecycles.first?.site)
      #expect(analysis.lifecycles.count == 1)
      #expect(site.lane.hasPrefix("TraceWriterHelper/ObservingSituations.swift:"))
      #expect(site.function == "static ObservingSituations.iterate()")
    }

    @Test(
      "A task that iterates over the values of its own signal is one finding, at its loop",
      .enabled(if: ConcurrencyRuntime.hasAllNames))
    func leakedValues() throws {
      let (analysis, records, _) = try analysis(["leaked-values"])
      let task = try #require(records.first { $0["event"] as? String == "task" })
      // With old words on the stack of a thread that runs, it isn't known that only the task itself
      // can continue. `values-of-own-signal` of TaskCorpus checks that without other load.
      #expect(["itself", "open"].contains(task["reach"] as? String))
      let groups = Verdict(analysis).groups
      #expect(groups.map(\.fingerprint.rule) == ["undisposed"])
      #expect(groups.first?.observed?.source == "TraceWriterHelper/LeakedValues.swift:27")
    }

    @Test("Observations at one line have one site, even with many call stacks")
    func stacks() throws {
      let (analysis, records, _) = try analysis(["stacks", "1000"])
      #expect(analysis.lifecycles.count == 1000)
      #expect(Set(analysis.lifecycles.map { ObjectIdentifier($0.site) }).count == 1)
      #expect(analysis.lifecycles.first?.site.function?.contains("descend") == true)
      #expect(records.count { $0["event"] as? String == "place" } == 2000)
    }

    @Test("An active subscription has the same name in every list")
    func asked() throws {
      let (_, _, output) = try analysis(["ask", "1000"])
      #expect(output == "TraceWriterHelper/ObservingSituations.swift\n")
    }
  #endif
}
