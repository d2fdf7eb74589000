import AllocationCounter
import Foundation
import SystemLibrary
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceAnalysis
@testable import TraceFormat

/// Comparisons of the records that a process reported before it died with its log.
@Suite("a process that dies has in its log all that it has recorded", .ownThread)
struct DeathTests {
  /// Problems with the log, in words; none where it is right.
  private func problems(_ told: String, _ records: [[String: Any]]) -> [String] {
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
    // Nobody can cut a line that is written in one call; the last may be cut where the pipe was.
    for line in told.split(separator: "\n") {
      let words = line.split(separator: " ").compactMap { Int($0) }
      guard words.count == 2 else { continue }
      if recorded["thread \(words[0])"]?.contains(words[1]) != true {
        problems.append("\(line) was told and is not in the log")
      }
    }
    return problems
  }

  /// A sanitizer makes processes slow (it does not count allocations).
  private let moments = allocations_of_this_thread() < 0 ? 8 : TestLength.isLong ? 100 : 16

  /// The number of bytes that a process may tell while its log grows: one of five bytes for 12 KB of the log. Parsing long
  /// logs takes minutes under a sanitizer.
  private var growingBytes: Int { moments == 100 ? 1500 : 300 }

  /// The number of records that each of four threads must tell of for that many bytes, each with at least four.
  private func count(for bytes: Int) -> String { "\(bytes / 16 + 1)" }

  /// Runs `body` for that many moments, four at a time, and expects no problem of any.
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
    // Not compared with an empty list: what that says of a long one takes minutes.
    #expect(problems.isEmpty, "\(problems.count) problems: \(problems.prefix(3))")
  }

  @Test("by SIGKILL at any moment")
  func killed() throws {
    try atRandomMoments { moment in
      let log = try TemporaryLog()
      var numbers = FixedNumbers(seed: UInt64(moment))
      let told = try Helper(["tell", "4", "-1", "-"], trace: log.path)
        .kill(afterBytes: Int.random(in: 1...3000, using: &numbers))
      return problems(told, try log.records())
    }
  }

  @Test("by SIGKILL at any moment while the file grows")
  func killedWhileGrowing() throws {
    let most = growingBytes
    try atRandomMoments { moment in
      let log = try TemporaryLog()
      var numbers = FixedNumbers(seed: UInt64(moment))
      let told = try Helper(["tell-growing", "4", count(for: most), "40"], trace: log.path)
        .kill(afterBytes: Int.random(in: 1...most, using: &numbers))
      return problems(told, try log.records())
    }
  }

  @Test("by SIGKILL at any moment while the log goes on from file to file")
  func killedWhileRotating() throws {
    let most = growingBytes
    let settings = ["REACTIVE_TRACE_MAX_SIZE": "64K", "REACTIVE_TRACE_WHEN_FULL": "rotate"]
    try atRandomMoments { moment in
      let log = try TemporaryLog()
      var numbers = FixedNumbers(seed: UInt64(moment))
      let told = try Helper(
        ["tell-growing", "4", count(for: most), "20"], trace: log.path, settings
      )
      .kill(afterBytes: Int.random(in: 1...most, using: &numbers))
      let later = (2...10_000).lazy.map { SegmentPath.of(log.path, $0) }
        .prefix { FileManager.default.fileExists(atPath: $0) }
      return problems(told, try log.records() + later.flatMap { try log.records($0) })
    }
  }

  @Test(
    "by itself",
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
      // Finding out why the subscriptions are alive takes seconds while threads go on.
      let explain = moment < 8 ? "on" : "off"
      let end = try Helper(
        ["tell", "4", "\(count)", way], trace: log.path, ["REACTIVE_TRACE_EXPLAIN": explain]
      ).end()
      let records = try log.records()
      var problems = problems(end.output, records)
      // Swift's own traps are SIGILL on x86-64 and SIGTRAP on arm64; a sanitizer makes of a signal what it likes.
      if end.signal != signal, !(way == "fatal" && end.signal == SIGTRAP), moments == 100 {
        problems.append("ended with \(end.signal)")
      }
      let last = records.last
      if way == "exit" {
        if last?["event"] as? String != "end" { problems.append("no end at exit") }
        // The end waits 0.2 s for the three other threads. On a busy machine, each may be kept longer in the middle of a
        // record, which is then not counted.
        let uncounted = records.count - 1 - (last?["records"] as? Int ?? -1)
        if !(0...3).contains(uncounted) { problems.append("the end miscounts by \(uncounted)") }
      } else if last?["event"] as? String == "end" {
        problems.append("an end without an exit")
      }
      return problems
    }
  }
}
