import TestSupport
import Testing
import TraceAnalysis
import TraceFormat

/// Counts of live instances, in processes in which nothing else runs.
@Suite(
  "Counts of instances in other processes", .ownThread,
  .enabled(if: !isSanitized, "block sizes are unknown with a sanitizer's allocator"))
struct InstanceProcessTests {
  /// Returns the log of a process that repeats a scope five times.
  private func log(_ way: String, _ settings: [String: String] = [:]) throws -> LogAnalysis {
    let directory = TemporaryDirectory()
    let path = directory.path + "/log.jsonl"
    var all = ["REACTIVE_TRACE_INSTANCES": "1", "REACTIVE_TRACE_EXPLAIN": "60"]
    all.merge(settings) { _, new in new }
    let result = try Helper(["growing", way], trace: path, all).finish()
    #expect(result.status == 0)
    #expect(result.errors == "")
    return try LogAnalysis.read(LogSource(path: path))
  }

  private func findings(_ log: LogAnalysis) -> [(lane: String, finding: Finding)] {
    Verdict(log).findings.map { (log.lifecycles[$0.lifecycle].site.lane, $0) }
  }

  @Test(
    "A class that leaks with each repetition is found with its cycle, and without what it holds")
  func cycle() throws {
    let log = try log("cycle")
    let found = findings(log)
    #expect(found.map(\.lane) == ["Editor"])
    #expect(found.first?.finding.rule == "instance-growth")
    #expect(found.first?.finding.retention?.isCycle == true)
    let site = found.first.map { log.lifecycles[$0.finding.lifecycle].site }
    #expect(site?.source?.hasPrefix("TraceWriterHelper/GrowingClasses.swift:") == true)
    #expect(site?.type == "TraceWriterHelper.GrowingClasses.Editor")
    #expect(log.logs[0].instances.map { $0.scope } == [1, 2, 3, 4, 5])
    let toolbars = log.logs[0].instances.map { counts in
      counts.classes.first { $0.name == "TraceWriterHelper.GrowingClasses.Toolbar" }?.count
    }
    #expect(toolbars == [1, 2, 3, 4, 5])
  }

  @Test("A class that a variable collects is found with the path from the variable")
  func variable() throws {
    let found = findings(try log("variable"))
    #expect(found.map(\.lane) == ["Visit"])
    #expect(found.first?.finding.retention?.kind == .path)
    #expect(found.first?.finding.retention?.steps.count == 3)
  }

  @Test("Without explanations, growth is found without what keeps the instances alive")
  func unexplained() throws {
    let found = findings(try log("cycle", ["REACTIVE_TRACE_EXPLAIN": "off"]))
    #expect(Set(found.map(\.lane)) == ["Editor", "Toolbar"])
    #expect(found.allSatisfy { $0.finding.retention == nil })
  }

  @Test(
    "Classes that fill up once, or not each time, aren't found", arguments: ["cache", "pauses"])
  func healthy(way: String) throws {
    let log = try log(way)
    #expect(Verdict(log).findings.isEmpty)
    #expect(log.logs[0].instances.count == 5)
  }

  @Test("Nothing is counted while another scope is open")
  func overlapping() throws {
    let log = try log("overlapping")
    #expect(log.logs[0].instances.isEmpty)
    #expect(log.scopes.count == 6)
  }

  @Test("Without the setting, nothing is counted")
  func off() throws {
    #expect(try log("cycle", ["REACTIVE_TRACE_INSTANCES": "0"]).logs[0].instances.isEmpty)
  }

  @Test("Two snapshots show which classes have more instances than before")
  func snapshots() throws {
    let result = try Helper(["compare-instances"], trace: nil).finish()
    #expect(result.errors == "")
    #expect(
      result.output == """
        TraceWriterHelper.GrowingClasses.Visit 5
        TraceWriterHelper.GrowingClasses.History 1
        TraceWriterHelper.GrowingClasses.Icon 1
        not counted

        """)
  }
}
