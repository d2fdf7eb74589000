import Foundation
import Synchronization
import SystemLibrary
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("A recorder's log that is followed while it is written", .ownThread)
struct FollowedRecorderTests {
  private func expectSame(_ last: LogSnapshot?, _ paths: [String]) throws {
    let last = try #require(last)
    let files = try paths.map { try LogSource(path: $0) }
    let whole = try #require(try snapshot(of: files, firstBatch: 1 << 20))
    #expect(last.summary == whole.summary)
    #expect(last.isComplete)
    #expect(last.restarts == 0)
    #expect(last.analysis.damage.count(.afterLogEnd) == 0)
    #expect(last.analysis.logs.map(\.missing) == [0])
  }

  @Test("A follower reads every record exactly once, regardless of which threads write")
  func threads() throws {
    let log = try TemporaryLog()
    let recorder = try Recorder(path: log.path)
    let reading = Reading(log.path)
    onThreads(5) { number in
      if number == 4 {
        reading.readUntilEnd()
        return
      }
      let subscription = recorder.subscription("lane \(number)")
      for element in 0..<20_000 { subscription.next(text: "\(number):\(element)") }
      subscription.completed()
      if reading.isLastWriter(of: 4) { recorder.finish() }
    }
    try expectSame(reading.last, [log.path])
    #expect(reading.last?.elements.total == 80_000)
  }

  @Test("A follower continues in the next files of a rotated log")
  func rotation() throws {
    let log = try TemporaryLog()
    let recorder = try Recorder(
      path: log.path,
      options: Trace.Options(
        sizeLimit: Trace.SizeLimit(bytes: 65536, whenFull: .rotate(keeping: nil))))
    let reading = Reading(log.path)
    onThreads(3) { number in
      if number == 2 {
        reading.readUntilEnd()
        return
      }
      let subscription = recorder.subscription("lane \(number)")
      for element in 0..<4_000 { subscription.next(text: "\(number):\(element)") }
      subscription.completed()
      if reading.isLastWriter(of: 2) { recorder.finish() }
    }
    let paths = try #require(recorder.writer?.paths)
    #expect(paths.count > 3)
    try expectSame(reading.last, paths)
    #expect(reading.last?.elements.total == 8_000)
  }

  /// A reader that runs on its own thread.
  private final class Reading: Sendable {
    private let path: String
    private let found = BlockingMutex<LogSnapshot?>(nil)
    private let writers = Atomic(0)

    init(_ path: String) { self.path = path }

    var last: LogSnapshot? { found.withLock { $0 } }

    func isLastWriter(of count: Int) -> Bool {
      writers.add(1, ordering: .acquiringAndReleasing).newValue == count
    }

    /// Reads until the log ends. The time limit of the test run bounds a hang.
    func readUntilEnd() {
      let log = GrowingLog(paths: [path], follows: true)
      while true {
        guard let snapshot = try? log.advance() else {
          _ = poll(nil, 0, 1)
          continue
        }
        found.withLock { $0 = snapshot }
        if snapshot.isComplete { return }
      }
    }
  }
}

extension Recorder {
  fileprivate func subscription(_ lane: String) -> TracedSubscription {
    TracedSubscription(
      recorder: self,
      site: SharedSite(TraceSite(lane, .lane, file: "Sample.swift", line: 42), type: "String"))
  }
}
