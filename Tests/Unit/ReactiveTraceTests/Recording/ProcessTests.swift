import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Traced processes", .ownThread)
struct ProcessTests {
  @Test("A killed process leaves a log of complete lines", arguments: [1, 5, 12])
  func killed(bytes: Int) throws {
    let log = try TemporaryLog()
    try Helper(["busy", "4"], trace: log.path).kill(afterBytes: bytes)
    let records = try log.records()
    #expect(try log.text().hasSuffix("\n"))
    #expect(records.first?["event"] as? String == "trace")
    #expect(!records.contains { $0["event"] as? String == "end" })
    let known = Set(LogFormat.Event.allCases.map(\.rawValue))
    var unfinished = 0
    for record in records.map({ $0["event"] as? String }) where !known.contains(record ?? "") {
      unfinished += 1
    }
    // Each thread was writing at most one line.
    #expect(unfinished <= 4)
    let values = records.filter { $0["event"] as? String == "next" }
    #expect(values.count >= bytes * 256)
  }

  @Test("A process ends its log when it exits")
  func exits() throws {
    let log = try TemporaryLog()
    let result = try Helper(["write", "3"], trace: log.path).finish()
    #expect(result.status == 0)
    #expect(result.output == "on: true\n")
    let records = try log.records()
    let events = records.map { $0["event"] as? String ?? "" }
    #expect(
      events == ["trace", "thread", "subscribe", "next", "next", "next", "completed", "end"])
    #expect(records[1]["thread"] as? Int == LogFormat.mainThread)
    #expect(records[1]["name"] as? String == "main")
    #expect(records[0]["process"] as? String == "TraceWriterHelper")
  }

  @Test("A process that exits while its threads write ends its log", arguments: 0..<5)
  func exitsWhileWriting(_: Int) throws {
    let log = try TemporaryLog()
    let result = try Helper(["exit", "4"], trace: log.path).finish()
    #expect(result.status == 0)
    #expect(result.errors == "")
    let records = try log.records()
    #expect(records.last?["event"] as? String == "end")
    #expect(records.last?["records"] as? Int == records.count - 1)
  }

  @Test(
    "A process continues when the disk is full, and the log counts its losses",
    arguments: [50_000, 3_000_000])
  func full(bytes: Int) throws {
    let log = try TemporaryLog()
    let result = try Helper(["full", "\(bytes)"], trace: log.path).finish()
    #expect(result.status == 0)
    #expect(result.output == "on: true\n")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.errors.contains("File too large"))
    let records = try log.records()
    let lost = try #require(records.dropLast().last)
    let end = try #require(records.last)
    #expect(try log.text().utf8.count <= bytes)
    #expect(lost["event"] as? String == "lost")
    #expect(lost["reason"] as? String == "File too large")
    let count = try #require(lost["count"] as? Int)
    #expect(end["lost"] as? Int == count)
    #expect(end["records"] as? Int == records.count - 1)
    // All elements, subscribe, completed, thread and the header are in the log or counted.
    #expect(records.count - 2 + count == bytes / 50 + 4)
  }

  @Test("A forked child doesn't write to its parent's log")
  func fork() throws {
    let log = try TemporaryLog()
    let result = try Helper(["fork"], trace: log.path).finish()
    #expect(result.status == 0)
    #expect(result.output == "child on: false\n")
    let values = try log.records().filter { $0["event"] as? String == "next" }
    #expect(values.map { $0["value"] as? String } == ["before", "after"])
    #expect(try log.records().last?["records"] as? Int == 6)
  }

  @Test("A forked child can start its own log")
  func forkWithLog() throws {
    let log = try TemporaryLog()
    let child = log.folder + "/child.jsonl"
    let result = try Helper(["fork"], trace: log.path, ["CHILD_TRACE": child]).finish()
    #expect(result.status == 0)
    let values = try log.records(child).filter { $0["event"] as? String == "next" }
    #expect(values.map { $0["value"] as? String } == ["of the child"])
    #expect(try log.records(child).last?["event"] as? String == "end")
    #expect(try log.records().last?["records"] as? Int == 6)
  }

  @Test("A log continues when a full disk has room again, and counts its losses")
  func refill() throws {
    let log = try TemporaryLog()
    let result = try Helper(["refill", "400000"], trace: log.path).finish()
    #expect(result.status == 0)
    let sent = try #require(Int(result.output.dropLast()))
    let records = try log.records()
    let lost = records.filter { $0["event"] as? String == "lost" }
    #expect(lost.count == 1)
    let count = try #require(lost.first?["count"] as? Int)
    #expect(count > 0)
    let index = try #require(records.firstIndex { $0["event"] as? String == "lost" })
    #expect(records[index...].contains { ($0["value"] as? String)?.hasPrefix("after") == true })
    let values = records.count { $0["event"] as? String == "next" }
    #expect(values + count == sent)
    #expect(records.last?["lost"] as? Int == count)
    #expect(records.last?["records"] as? Int == records.count - 1)
    #expect(records.suffix(2).first?["event"] as? String == "completed")
  }

  @Test("A log is continued in its renamed file")
  func renamed() throws {
    let log = try TemporaryLog()
    let new = log.folder + "/renamed.jsonl"
    let result = try Helper(["rename", new], trace: log.path).finish()
    #expect(result.errors == "")
    #expect(try log.records(new).count { $0["event"] as? String == "next" } == 10_001)
    #expect(!FileManager.default.fileExists(atPath: log.path))
  }

  @Test("A deleted log is written again at its path")
  func deleted() throws {
    let log = try TemporaryLog()
    let result = try Helper(["delete"], trace: log.path).finish()
    #expect(result.errors.contains("was deleted while it was written: it is in '\(log.path)'"))
    let records = try log.records()
    #expect(records.count { $0["event"] as? String == "next" } == 10_001)
    #expect(records.last?["records"] as? Int == records.count - 1)
  }

  @Test("A log stops at its maximum size and counts the lost records")
  func stops() throws {
    let log = try TemporaryLog()
    let result = try Helper(
      ["write", "5000"], trace: log.path, ["REACTIVE_TRACE_MAX_SIZE": "100K"]
    ).finish()
    #expect(result.status == 0)
    #expect(try log.text().utf8.count <= 100 * 1024)
    let records = try log.records()
    let lost = try #require(records.dropLast().last)
    #expect(lost["event"] as? String == "lost")
    #expect(lost["reason"] as? String == "maximum size reached")
    let count = try #require(lost["count"] as? Int)
    // The elements, subscribe and completed. The other four records are header, thread, lost and
    // end.
    #expect(records.count - 4 + count == 5002)
    #expect(records.last?["lost"] as? Int == count)
    #expect(records.last?["records"] as? Int == records.count - 1)
  }

  @Test("A rotating log doesn't lose records, and its files stay within the limit")
  func rotates() throws {
    let log = try TemporaryLog()
    let settings = ["REACTIVE_TRACE_MAX_SIZE": "64K", "REACTIVE_TRACE_WHEN_FULL": "rotate"]
    let result = try Helper(["write", "5000"], trace: log.path, settings).finish()
    #expect(result.status == 0)
    #expect(result.errors == "")
    var values: [String] = []
    var number = 1
    var path = log.path
    while FileManager.default.fileExists(atPath: path) {
      #expect(try log.text(path).utf8.count <= 64 * 1024)
      let records = try log.records(path)
      #expect(records[0]["segment"] as? Int == number)
      let next = SegmentPath.of(log.path, number + 1)
      let isLast = !FileManager.default.fileExists(atPath: next)
      let last = try #require(records.last)
      #expect(last["event"] as? String == (isLast ? "end" : "continued"))
      #expect(last["records"] as? Int == records.count - 1)
      if !isLast { #expect(last["segment"] as? Int == number + 1) }
      if number > 1 {
        // Each file begins with the state from earlier files.
        #expect(records[1]["event"] as? String == "thread")
        #expect(records[2]["event"] as? String == "alive")
        #expect(records[2]["lane"] as? String == "helper")
      }
      values += records.compactMap {
        $0["event"] as? String == "next" ? $0["value"] as? String : nil
      }
      number += 1
      path = next
    }
    #expect(number > 4)
    #expect(values == (0..<5000).map { "value \($0)" })
  }

  @Test("A rotating log keeps its newest files")
  func keeps() throws {
    let log = try TemporaryLog()
    let settings = ["REACTIVE_TRACE_MAX_SIZE": "64K", "REACTIVE_TRACE_WHEN_FULL": "rotate:2"]
    _ = try Helper(["write", "5000"], trace: log.path, settings).finish()
    let files = try FileManager.default.contentsOfDirectory(atPath: log.folder).sorted()
    #expect(files.count == 2)
    let newest = try #require(
      files.max { $0.utf8.count == $1.utf8.count ? $0 < $1 : $0.utf8.count < $1.utf8.count })
    #expect(try log.records(log.folder + "/" + newest).last?["event"] as? String == "end")
  }

  @Test("A log can have ten thousand lanes")
  func manyLanes() throws {
    let log = try TemporaryLog()
    #expect(try Helper(["lanes", "10000"], trace: log.path).finish().status == 0)
    let records = try log.records()
    for event in ["subscribe", "next", "disposed"] {
      let lanes = records.filter { $0["event"] as? String == event }.compactMap {
        $0["lane"] as? String
      }
      #expect(Set(lanes).count == 10_000)
      #expect(lanes.count == 10_000)
    }
  }

  @Test(
    "A process warns if the log's folder isn't writable",
    .enabled(if: getuid() != 0, "root can write to every folder"))
  func readOnlyFolder() throws {
    let log = try TemporaryLog()
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: log.folder)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: log.folder)
    }
    let result = try Helper(["write", "3"], trace: log.path).finish()
    #expect(result.output == "on: false\n")
    #expect(result.errors.contains("Allow writing there"))
  }

  @Test("A process warns once about each invalid setting and lists the valid values")
  func settings() throws {
    let log = try TemporaryLog()
    let settings = [
      "REACTIVE_TRACE_VALUES": "maybe", "REACTIVE_TRACE_MAX_SIZE": "1K",
      "REACTIVE_TRACE_WHEN_FULL": "rotate:0", "REACTIVE_TRACE_LANE": "x",
      "REACTIVE_TRACE_VALUE_LIMIT": "many",
    ]
    let result = try Helper(["write", "1"], trace: log.path, settings).finish()
    let lines = result.errors.split(separator: "\n").sorted()
    #expect(result.output == "on: true\n")
    #expect(lines.count == 5)
    for (name, words) in [
      ("_VALUES", "takes on or off"), ("_MAX_SIZE", "at least 64K bytes"),
      ("_WHEN_FULL", "takes stop, rotate"),
      ("_LANE,", "unknown setting"), ("_VALUE_LIMIT", "a number of bytes"),
    ] {
      #expect(
        lines.contains { $0.contains("REACTIVE_TRACE\(name)") && $0.contains(words) }, "\(name)")
    }
    #expect(try log.records().last?["event"] as? String == "end")
  }

  @Test("The environment's settings select lanes and turn off values")
  func settingsObeyed() throws {
    let log = try TemporaryLog()
    let settings = ["REACTIVE_TRACE_VALUES": "off", "REACTIVE_TRACE_LANES": "*1"]
    _ = try Helper(["lanes", "20"], trace: log.path, settings).finish()
    let records = try log.records()
    #expect(
      records.filter { $0["event"] as? String == "subscribe" }.compactMap { $0["lane"] as? String }
        == ["lane 1", "lane 11"])
    #expect(!records.dropFirst().contains { $0["value"] != nil })
  }

  @Test("Unnamed observations are traced from the first one", .lookUpInTime)
  func unnamed() throws {
    let log = try TemporaryLog()
    let result = try Helper.finishWithNames(["unnamed"], trace: log.path)
    #expect(result.errors == "")
    let analysis = try LogAnalysis.read(LogSource(path: log.path))
    let observations = analysis.lifecycles.filter { $0.site.op == .observe }
    #expect(observations.map(\.state) == [.active, .disposed, .disposed, .disposed])
    // One location is one lane.
    #expect(observations[1].site === observations[3].site)
    #expect(Set(observations.map(\.site.lane)).count == 2)
    #expect(observations.map(\.elements) == [1, 0, 0, 0])
    // An observation that a lane records completely doesn't have a second subscription.
    #expect(analysis.lifecycles.count == 5)
    #expect(analysis.lifecycles.last?.site.lane == "a")
    #expect(analysis.lifecycles.last?.parent == nil)
    #if os(Linux)
      let site = observations[0].site
      #expect(result.output == site.lane)
      #expect(site.lane.hasPrefix("TraceWriterHelper/Situations.swift:"))
      #expect(site.source == site.lane)
      #expect(site.function?.contains("unnamed") == true)
    #endif
  }

  @Test("A log on a full disk ends, even if places don't fit")
  func locationsOnFullDisk() throws {
    let log = try TemporaryLog()
    let result = try Helper(
      ["locations", "300000"], trace: log.path, ["REACTIVE_TRACE_ALL": "1"]
    ).finish()
    #expect(result.status == 0)
    let records = try log.records()
    #expect(try log.text().utf8.count <= 300_000)
    #expect(records.last?["event"] as? String == "end")
    #expect(records.last?["records"] as? Int == records.count - 1)
  }

  @Test("Unnamed observations on many threads share one site for each location", .lookUpInTime)
  func unnamedOfThreads() throws {
    for _ in 0..<5 {
      let log = try TemporaryLog()
      let result = try Helper.finishWithNames(["crowd"], trace: log.path)
      #expect(result.status == 0)
      let analysis = try LogAnalysis.read(LogSource(path: log.path))
      #expect(analysis.lifecycles.count == 32)
      #expect(Set(analysis.lifecycles.map(\.site.lane)).count == 4)
      #expect(Set(analysis.lifecycles.map { ObjectIdentifier($0.site) }).count == 4)
    }
  }

  @Test("A process that doesn't observe anything doesn't replace an existing log")
  func nothingObserved() throws {
    let log = try TemporaryLog()
    try "kept".write(toFile: log.path, atomically: false, encoding: .utf8)
    _ = try Helper(["nothing"], trace: log.path, ["REACTIVE_TRACE_ALL": "1"]).finish()
    #expect(try log.text() == "kept")
  }

  @Test("debug prints events and records them", arguments: [true, false])
  func debug(isTraced: Bool) throws {
    let log = try TemporaryLog()
    let result = try Helper(["debug"], trace: isTraced ? log.path : nil).finish()
    // Without the times.
    let lines = result.output.split(separator: "\n").map { line in
      String(line.prefix { $0 != "(" || !line.hasSuffix(")") })
    }
    let whole = result.output.split(separator: "\n").map(String.init)
    #expect(whole.count == 8)
    let words = whole.map { line -> String in
      guard let suffix = line.range(of: " (#", options: .backwards) else { return line }
      return String(line[..<suffix.lowerBound])
    }
    #expect(
      words.prefix(5) == [
        "[search] started", "[search] next(7)", "[search] disposed", "[failing] started",
        "[failing] failed: Broken()",
      ])
    #expect(words[5].hasPrefix("[TraceWriterHelper/Situations.swift:"))
    #expect(words[5].hasSuffix("] started"))
    #expect(words[6].hasSuffix("] next(1)"))
    #expect(words[7].hasSuffix("] finished"))
    #expect(whole[0].contains("(#1, "))
    #expect(whole[3].contains("(#2, "))
    #expect(lines.count == 8)
    guard isTraced else { return }
    let records = try log.records().filter { ($0["sub"] as? Int ?? 0) > 0 }
    #expect(
      records.compactMap { $0["event"] as? String } == [
        "subscribe", "next", "disposed", "subscribe", "failed", "subscribe", "next", "completed",
      ])
    #expect(records[0]["op"] as? String == "debug")
    #expect(records[0]["lane"] as? String == "search")
  }

  @Test("A breakpoint without a debugger prints a warning and continues")
  func breakpoints() throws {
    let log = try TemporaryLog()
    let result = try Helper(["breakpoints"], trace: log.path).finish()
    #expect(result.output == "went on\n")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.contains("no debugger is attached, so the program continues.") })
    #expect(lines.first?.contains("TraceWriterHelper/Situations.swift:") == true)
    let records = try log.records().filter { $0["event"] as? String == "breakpoint" }
    #expect(
      records.map { $0["on"] as? String } == ["next", "completion", "subscribe", "completion"])
    #expect(records.map { $0["value"] as? String } == ["2", "Broken()", nil, nil])
  }

  @Test("With the trap setting, a breakpoint ends the process after recording it")
  func trapped() throws {
    let log = try TemporaryLog()
    let end = try Helper(
      ["breakpoints"], trace: log.path, ["REACTIVE_TRACE_BREAKPOINT": "trap"]
    ).end()
    #expect(end.signal == SIGTRAP)
    #expect(end.output == "")
    let last = try #require(try log.records().last)
    #expect(last["event"] as? String == "breakpoint")
    #expect(last["value"] as? String == "2")
  }

  #if os(Linux)
    @Test("A breakpoint stops the process in an attached debugger")
    func debugger() throws {
      let result = try Helper(["debugger"], trace: nil).finish()
      #expect(result.output == "stopped by \(SIGTRAP)\n")
    }
  #endif

  @Test("A process with an unwritable log prints one warning and continues")
  func unwritable() throws {
    let result = try Helper(["write", "3"], trace: "/no/such/x.jsonl").finish()
    #expect(result.status == 0)
    #expect(result.output == "on: false\n")
    #expect(
      result.errors == """
        ReactiveTrace: cannot write the log at '/no/such/x.jsonl': No such file or directory. \
        Create the folder or set REACTIVE_TRACE to a writable path; \
        the program continues without tracing.

        """)
  }

  @Test("REACTIVE_TRACE takes precedence over Trace.start, with one warning")
  func variableWins() throws {
    let (log, other) = (try TemporaryLog(), try TemporaryLog())
    let result = try Helper(["start", other.path], trace: log.path).finish()
    #expect(result.status == 0)
    let refusal =
      "cannot write the log at '\(other.path)': this process writes '\(log.path)' already."
    #expect(
      result.output == "started\nstarted\n\(refusal) Call Trace.stop() first\nstarted\n")
    #expect(
      result.errors == """
        ReactiveTrace: REACTIVE_TRACE is set, so the log goes to '\(log.path)', \
        and Trace.start("\(other.path)") has no effect.

        """)
    // The options of the program have no effect either: its lanes are not "other".
    #expect(try log.records().contains { $0["lane"] as? String == "a" })
    #expect(try other.records().contains { $0["lane"] as? String == "b" })
  }

  @Test("Without REACTIVE_TRACE, Trace.start starts the logs")
  func startsLogs() throws {
    let other = try TemporaryLog()
    let result = try Helper(["start", other.path], trace: nil).finish()
    #expect(result.errors == "")
    let lines = result.output.split(separator: "\n")
    #expect(lines.first == "started" && lines.last == "started")
    #expect(lines.dropFirst().dropLast().allSatisfy { $0.contains("Call Trace.stop() first") })
    #expect(lines.count == 4)
  }

  @Test("A process that isn't traced doesn't print messages", arguments: ["", nil])
  func off(trace: String?) throws {
    let result = try Helper(["write", "3"], trace: trace).finish()
    #expect(result.status == 0)
    #expect(result.output == "on: false\n")
    #expect(result.errors == "")
  }
}
