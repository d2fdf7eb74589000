import Foundation
import Testing

@testable import ReactiveTrace

@Suite("a process that traces")
struct ProcessTests {
  @Test("killed at any instant leaves a log of whole lines", arguments: 1...12)
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
    // Each thread was writing one line at most.
    #expect(unfinished <= 4)
    let values = records.filter { $0["event"] as? String == "next" }
    #expect(values.count >= bytes * 256)
  }

  @Test("ends its log when it exits")
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

  @Test("may exit while its threads write", arguments: 0..<5)
  func exitsWhileWriting(_: Int) throws {
    let log = try TemporaryLog()
    let result = try Helper(["exit", "4"], trace: log.path).finish()
    #expect(result.status == 0)
    #expect(result.errors == "")
    let records = try log.records()
    #expect(records.last?["event"] as? String == "end")
    #expect(records.last?["records"] as? Int == records.count - 1)
  }

  @Test("runs on when the disk is full, and says what was lost", arguments: [50_000, 3_000_000])
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
    // All elements, subscribe, completed, thread and the header are there or counted.
    #expect(records.count - 2 + count == bytes / 50 + 4)
  }

  @Test("keeps its log to itself when it forks")
  func fork() throws {
    let log = try TemporaryLog()
    let result = try Helper(["fork"], trace: log.path).finish()
    #expect(result.status == 0)
    #expect(result.output == "child on: false\n")
    let values = try log.records().filter { $0["event"] as? String == "next" }
    #expect(values.map { $0["value"] as? String } == ["before", "after"])
    #expect(try log.records().last?["records"] as? Int == 6)
  }

  @Test("runs on untraced, after one clear line, when the log cannot be written")
  func unwritable() throws {
    let result = try Helper(["write", "3"], trace: "/no/such/x.jsonl").finish()
    #expect(result.status == 0)
    #expect(result.output == "on: false\n")
    #expect(
      result.errors == """
        ReactiveTrace: cannot write the log at '/no/such/x.jsonl': No such file or directory. \
        Create the folder or set REACTIVE_TRACE to a path that can be written; \
        the program runs on untraced.

        """)
  }

  @Test("is silent where tracing is off", arguments: ["", nil])
  func off(trace: String?) throws {
    let result = try Helper(["write", "3"], trace: trace).finish()
    #expect(result.status == 0)
    #expect(result.output == "on: false\n")
    #expect(result.errors == "")
  }
}
