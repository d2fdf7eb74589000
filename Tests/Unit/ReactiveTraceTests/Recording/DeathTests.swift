import AllocationCounter
import Foundation
import SystemLibrary
import TestSupport
import Testing

@testable import TraceFormat

/// Compares the records that a process reported before it died with its log.
@Suite("Logs of processes that die", .ownThread)
struct DeathTests {
  /// Returns descriptions of the problems with the log.
  private func problems(_ reported: String, _ records: [[String: Any]]) -> [String] {
    var problems: [String] = []
    let known = Set(LogFormat.Event.allCases.map(\.rawValue))
    let unfinished = records.count { !known.contains($0["event"] as? String ?? "") }
    if unfinished > 4 { problems.append("\(unfinished) unfinished records of 4 threads") }
    var recorded: [String: Set<Int>] = [:]
    for record in records where record["event"] as? String == "next" {
      guard let lane = record["lane"] as? String, let value = record["value"] as? String,
        let number = value.split(separator: " ").first.flatMap({ Int($0) })
      else {
        problems.append("a record without a number")
        continue
      }
      recorded[lane, default: []].insert(number)
    }
    // A line is written in one call, so only the last line can be cut, at the end of the pipe.
    for line in reported.split(separator: "\n") {
      let words = line.split(separator: " ").compactMap { Int($0) }
      guard words.count == 2 else { continue }
      if recorded["thread \(words[0])"]?.contains(words[1]) != true {
        problems.append("\(line) was reported but isn't in the log")
      }
    }
    return problems
  }

  /// The number of runs. A sanitizer, whose allocation count is negative, makes processes slow.
  private let moments = TestLength.isLong && allocations_of_this_thread() >= 0 ? 100 : 8

  /// The number of bytes that a process can report while its log grows. For every 5 bytes, the log
  /// grows by 12 KB. Parsing long logs takes minutes under a sanitizer.
  private var growingBytes: Int { moments == 100 ? 1500 : 300 }

  /// Returns how many records each of four threads must report to produce `bytes` bytes. A report
  /// has at least four bytes.
  private func count(for bytes: Int) -> String { "\(bytes / 16 + 1)" }

  /// Runs `body` for each moment, four at a time, and expects it not to return problems.
  private func atRandomMoments(_ body: @escaping @Sendable (Int) throws -> [String]) throws {
    let all = BlockingMutex<[String]>([])
    let moments = moments
    onThreads(4) { thread in
      for moment in stride(from: thread, to: moments, by: 4) {
        do {
          let found = try body(moment).map { "moment \(moment): \($0)" }
          all.withLock { $0 += found }
        } catch {
          all.withLock { $0.append("moment \(moment): \(error)") }
        }
      }
    }
    let problems = all.withLock { $0 }
    // Not compared with an empty list, because describing a long list takes minutes.
    #expect(problems.isEmpty, "\(problems.count) problems: \(problems.prefix(3))")
  }

  @Test("A process killed at any moment has every reported record in its log")
  func killed() throws {
    try atRandomMoments { moment in
      let log = try TemporaryLog()
      var numbers = FixedNumbers(seed: UInt64(moment))
      let reported = try Helper(["tell", "4", "-1", "-"], trace: log.path)
        .kill(afterBytes: Int.random(in: 1...3000, using: &numbers))
      return problems(reported, try log.records())
    }
  }

  @Test("A process killed while its log grows has every reported record in its log")
  func killedWhileGrowing() throws {
    let maxBytes = growingBytes
    try atRandomMoments { moment in
      let log = try TemporaryLog()
      var numbers = FixedNumbers(seed: UInt64(moment))
      let reported = try Helper(["tell-growing", "4", count(for: maxBytes), "40"], trace: log.path)
        .kill(afterBytes: Int.random(in: 1...maxBytes, using: &numbers))
      return problems(reported, try log.records())
    }
  }

  @Test("A process killed while its log rotates has every reported record in its logs")
  func killedWhileRotating() throws {
    let maxBytes = growingBytes
    let settings = ["REACTIVE_TRACE_MAX_SIZE": "64K", "REACTIVE_TRACE_WHEN_FULL": "rotate"]
    try atRandomMoments { moment in
      let log = try TemporaryLog()
      var numbers = FixedNumbers(seed: UInt64(moment))
      let reported = try Helper(
        ["tell-growing", "4", count(for: maxBytes), "20"], trace: log.path, settings
      )
      .kill(afterBytes: Int.random(in: 1...maxBytes, using: &numbers))
      let later = (2...10_000).lazy.map { SegmentPath.of(log.path, $0) }
        .prefix { FileManager.default.fileExists(atPath: $0) }
      return problems(reported, try log.records() + later.flatMap { try log.records($0) })
    }
  }

  @Test(
    "A process that crashes or exits has every reported record in its log",
    arguments: [
      ("segv", SIGSEGV), ("fatal", SIGILL), ("abort", SIGABRT), ("exit", -3), ("quick", -4),
      ("trap", SIGTRAP),
    ])
  func byItself(way: String, signal: Int32) throws {
    let moments = moments
    try atRandomMoments { moment in
      let log = try TemporaryLog()
      var numbers = FixedNumbers(seed: UInt64(moment))
      let count = Int.random(in: 1...60, using: &numbers)
      // Explaining why the subscriptions are alive takes seconds while other threads run.
      let explain = moment < 2 ? "on" : "off"
      let end = try Helper(
        ["tell", "4", "\(count)", way], trace: log.path, ["REACTIVE_TRACE_EXPLAIN": explain]
      ).end()
      let records = try log.records()
      var problems = problems(end.output, records)
      // Swift's own traps are SIGILL on x86-64 and SIGTRAP on arm64. A sanitizer can change the
      // signal.
      if end.signal != signal, !(way == "fatal" && end.signal == SIGTRAP), moments == 100 {
        problems.append("ended with \(end.signal)")
      }
      let last = records.last
      if way == "exit" {
        if last?["event"] as? String != "end" { problems.append("no end at exit") }
        // The end waits 0.2 s for the three other threads. On a busy machine, each can be delayed
        // for longer in the middle of a record, which then isn't counted.
        let uncounted = records.count - 1 - (last?["records"] as? Int ?? -1)
        if !(0...3).contains(uncounted) { problems.append("the end miscounts by \(uncounted)") }
      } else if last?["event"] as? String == "end" {
        problems.append("an end without an exit")
      }
      return problems
    }
  }
}
