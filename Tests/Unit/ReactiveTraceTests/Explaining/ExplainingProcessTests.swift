import Foundation
import TestSupport
import Testing

@Suite(
  "Processes that end with leaks", .ownThread,
  .enabled(if: !isSanitized, "a sanitizer checks the memory that the search copies"))
struct ExplainingProcessTests {
  private struct Run {
    let status: Int32
    let output: String
    let errors: String
    let records: [[String: Any]]

    /// Returns the names of the fields, lanes and variables on a path.
    static func names(_ record: [String: Any]) -> [String]? {
      (record["steps"] as? [[String: Any]])?.map { step in
        [step["type"], step["name"]].compactMap { $0 as? String }.joined(separator: ".")
      }
    }

    var retained: [[String: Any]] { records.filter { $0["event"] as? String == "retained" } }
    var isComplete: Bool { records.last?["event"] as? String == "end" }
  }

  private func run(
    _ way: String, _ count: Int = 1, _ settings: [String: String] = [:]
  ) throws -> Run {
    let log = try TemporaryLog()
    let result = try Helper(["retained", way, String(count)], trace: log.path, settings).finish()
    return Run(
      status: result.status, output: result.output, errors: result.errors,
      records: try log.records())
  }

  /// Expects that the log ends with one explanation, which is a complete cycle.
  private func expectCycle(_ run: Run, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(run.status == 0, sourceLocation: sourceLocation)
    #expect(run.isComplete, sourceLocation: sourceLocation)
    #expect(run.retained.count == 1, sourceLocation: sourceLocation)
    let record = try #require(run.retained.first, sourceLocation: sourceLocation)
    #expect(record["kind"] as? String == "cycle", sourceLocation: sourceLocation)
    #expect(record["proof"] as? String == "certain", sourceLocation: sourceLocation)
    let path = try #require(Run.names(record), sourceLocation: sourceLocation)
    #expect(path.suffix(2) == ["Screen.bag", "screen.texts"], sourceLocation: sourceLocation)
  }

  @Test("A leak is explained when the process exits or stops its log", arguments: ["exit", "stop"])
  func ends(way: String) throws { try expectCycle(run(way)) }

  @Test("The explanation at exit names the closure and how to break the cycle", .lookUpInTime)
  func names() throws {
    for _ in 0..<20 {
      let record = try #require(run("exit").retained.first)
      let steps = try #require(record["steps"] as? [[String: Any]])
      // A lookup is limited to a second, which is too short on a busy machine.
      guard steps.count == 3 else { continue }
      let closure = steps[0]
      #expect(closure["kind"] as? String == "closure")
      #expect(closure["self"] as? Int == 1)
      #expect((closure["at"] as? String)?.hasPrefix("TraceWriterHelper/Explaining") == true)
      #expect(closure["column"] as? Int ?? 0 > 1)
      #expect(steps[1]["holds"] as? String == "DisposeBag")
      #expect(steps[2]["sub"] as? Int == 1)
      #expect(record["break"] as? Int == 0)
      #expect(record["owner"] as? String == "bag")
      return
    }
    Issue.record("The closure was never named.")
  }

  @Test(
    "Leaks aren't explained if explanations are off or their time limit is zero",
    arguments: ["off", "0", "0.0"])
  func off(setting: String) throws {
    let run = try run("exit", 10, ["REACTIVE_TRACE_EXPLAIN": setting])
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.retained.isEmpty)
    #expect(run.isComplete)
  }

  @Test("A process warns about an invalid value of REACTIVE_TRACE_EXPLAIN")
  func wrongSetting() throws {
    let run = try run("exit", 1, ["REACTIVE_TRACE_EXPLAIN": "soon"])
    #expect(
      run.errors.contains(
        "invalid value 'soon' for REACTIVE_TRACE_EXPLAIN, which takes on, off "
          + "or at most 3600 seconds"
      ))
    #expect(run.retained.count == 1)
  }

  @Test(
    "An explanation reports a discarded disposable",
    .enabled(if: !isSanitized, "a sanitizer keeps freed memory"), arguments: [1, 10])
  func discarded(count: Int) throws {
    let run = try run("discarded", count, ["REACTIVE_TRACE_EXPLAIN": "60"])
    #expect(run.retained.count == count)
    #expect(run.retained.allSatisfy { $0["kind"] as? String != "cycle" })
    // The remains of an address on the stack can make one owner unknown.
    let discarded = run.retained.count { $0["owner"] as? String == "nobody" }
    #expect(discarded >= max(1, count - 1), "\(run.retained)")
  }

  @Test(
    "A process with many leaks exits in time",
    .enabled(if: !isSanitized, "a sanitizer is too slow"), arguments: ["exit", "discarded"])
  func manyLeaks(way: String) throws {
    let start = ContinuousClock.now
    let run = try run(way, 10_000, ["REACTIVE_TRACE_EXPLAIN": "0.5"])
    #expect(run.status == 0)
    #expect(run.isComplete)
    #expect(run.retained.count <= 1000)
    // Much longer than the time limit, and much shorter than explaining each leak would take.
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  #if os(Linux)
    @Test(
      "Leaks are explained in a sandbox that forbids copying memory",
      arguments: ["sandboxed", "killed"])
    func sandboxed(way: String) throws {
      let run = try run(way)
      #expect(run.output == "sandboxed\n")
      try expectCycle(run)
    }

    @Test(
      "Explaining leaks doesn't use up a limited address space",
      .enabled(if: !isSanitized, "a sanitizer needs more"))
    func limited() throws {
      for megabytes in [20, 100, 150] {
        let run = try run("limited", megabytes)
        #expect(run.status == 0)
        #expect(run.isComplete)
        let kinds = run.retained.map { $0["kind"] as? String }
        #expect(kinds == ["unsupported"])
      }
      try expectCycle(run("limited", 2000))
    }

    @Test(
      "A process warns if the stack of the exiting thread is too small to explain leaks",
      .lookUpInTime)
    func smallStack() throws {
      let small = try run("small-stack", 128 << 10)
      #expect(small.status == 0)
      #expect(small.retained.isEmpty)
      #expect(small.isComplete)
      #expect(
        small.errors.contains(
          "the log does not say why 1 subscription is still alive: the stack of the thread "
            + "that ends the log is too small"))
      try expectCycle(run("small-stack", 1 << 20))
    }

    @Test(
      "A process that exits in a signal handler doesn't explain its leaks", arguments: ["handler"])
    func handler(way: String) throws {
      let run = try run(way)
      #expect(run.status == 0)
      #expect(run.retained.isEmpty)
      #expect(run.isComplete)
    }

    @Test("Leaks are explained if a thread stops the log while the process exits")
    func stopAndExit() throws {
      for _ in 0..<5 {
        let run = try run("stop-and-exit", 20)
        #expect(run.status == 0)
        #expect(run.retained.count == 20)
        #expect(run.isComplete)
      }
    }

    @Test("Leaks of a forked child aren't in the parent's log")
    func fork() throws {
      let run = try run("fork")
      #expect(run.output == "0\n")
      try expectCycle(run)
    }

    @Test("Leaks are explained while threads allocate and free objects")
    func busy() throws {
      let run = try run("busy", 2)
      #expect(run.status == 0)
      #expect(run.isComplete)
      #expect(
        run.retained.allSatisfy {
          $0["lane"] as? String != "screen.texts" || $0["kind"] as? String == "cycle"
        })
    }

    @Test("A line with lists is valid JSON after every published byte")
    func everyByte() throws {
      let result = try Helper(["publish-retained"], trace: nil).finish()
      #expect(result.status == 0)
      let lines = result.output.split(separator: "\n")
      let whole = try #require(lines.last)
      var events: [String: Int] = [:]
      var longest = 0
      for line in lines {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let event = try #require(object)["event"] as? String ?? ""
        events[event, default: 0] += 1
        if event != "retained" { longest = max(longest, line.utf8.count) }
        if event == "retained" { #expect(line == whole) }
      }
      // One complete line for each cut between two bytes. A part is never mistaken for the complete
      // line.
      #expect(events["retained"] == whole.utf8.count - 1)
      #expect(events.keys.allSatisfy { ["", "retained"].contains($0) || $0.hasPrefix("-") })
      #expect(longest > whole.utf8.count - 20)
      #expect(lines.count > whole.utf8.count * 3 / 2)
    }
  #endif
}
