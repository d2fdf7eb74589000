import Foundation
import SystemLibrary
import TestSupport
import Testing

@testable import InteractiveView
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("LogWorker", .ownThread)
struct LogWorkerTests {
  /// A worker with the messages that it posted.
  private final class Stage {
    private let queue: MessageQueue
    let worker: LogWorker

    init(_ path: String, follows: Bool) throws {
      queue = try #require(MessageQueue())
      worker = LogWorker(
        GrowingLog(paths: [path], follows: follows), RuleSettings(), follows: follows, queue)
      worker.start()
    }

    deinit { worker.stop() }

    /// Waits for what grew in a range.
    func growth(in range: TimeRange) throws -> [Increase] {
      for _ in 0..<1000 {
        for case .grew(let rows, let key) in queue.take() where key.range == range { return rows }
        var request = pollfd(fd: queue.descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&request, 1, 60_000) == 1)
      }
      throw TestError()
    }

    /// Waits for a message that shows the log and fulfills a condition.
    func viewed(where isWanted: (ViewedLog, ReadingState) -> Bool) throws -> ViewedLog {
      for _ in 0..<1000 {
        for case .arranged(let viewed, let reading) in queue.take() where isWanted(viewed, reading)
        {
          return viewed
        }
        var request = pollfd(fd: queue.descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&request, 1, 60_000) == 1)
      }
      throw TestError()
    }
  }

  @Test("A worker shows the whole log, and arranges it again on request")
  func arranging() throws {
    let log = try TemporaryLog()
    try SampleLog.leak.write(toFile: log.path, atomically: false, encoding: .utf8)
    let stage = try Stage(log.path, follows: false)
    let whole = try stage.viewed { $1.isComplete }
    #expect(whole.log.lifecycles.count == 4)
    #expect(stage.worker.errors.isEmpty)

    var arrangement = Arrangement()
    arrangement.filter.leaksOnly = true
    stage.worker.arrange(arrangement, of: nil)
    let leaks = try stage.viewed { viewed, _ in viewed.arrangement == arrangement }
    #expect(leaks.excerpt.members.count < whole.excerpt.members.count)
    #expect(leaks.snapshot.revision == whole.snapshot.revision)

    stage.worker.arrange(Arrangement(), of: whole.snapshot)
    let frozen = try stage.viewed { viewed, _ in viewed.arrangement == Arrangement() }
    #expect(frozen.excerpt.members.count == whole.excerpt.members.count)
  }

  @Test("A worker that follows a log shows new records in the latest arrangement")
  func following() throws {
    let log = try TemporaryLog()
    let lines = SampleLog.leak.split(separator: "\n").map { $0 + "\n" }
    try lines[0].write(toFile: log.path, atomically: false, encoding: .utf8)
    let stage = try Stage(log.path, follows: true)
    let first = try stage.viewed { viewed, _ in viewed.log.records > 0 }
    #expect(first.log.records == 1)

    var arrangement = Arrangement()
    arrangement.grouping = arrangement.grouping.next
    stage.worker.arrange(arrangement, of: nil)
    let file = try #require(FileHandle(forWritingAtPath: log.path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(lines[1...].joined().utf8))
    try file.close()
    let last = try stage.viewed { viewed, _ in viewed.log.records == lines.count }
    #expect(last.arrangement == arrangement)
    #expect(last.snapshot.revision > first.snapshot.revision)
  }

  @Test("A worker finds what grew, for the latest of several requests")
  func growth() throws {
    let log = try TemporaryLog()
    try SampleLog.leak.write(toFile: log.path, atomically: false, encoding: .utf8)
    let stage = try Stage(log.path, follows: false)
    let whole = try stage.viewed { $1.isComplete }
    let ranges = [100, 300, 1000].map { milliseconds in
      TimeRange(from: .zero, through: Nanoseconds(UInt64(milliseconds) * 1_000_000))
    }
    for range in ranges { stage.worker.findGrowth(whole, in: range) }
    let found = try stage.growth(in: try #require(ranges.last))
    #expect(found.map(\.name) == ["request"])
    #expect(found.map(\.count) == [1])
  }

  @Test("A worker reports a file that can't be read")
  func unreadable() throws {
    let log = try TemporaryLog()
    let stage = try Stage(log.path + ".missing", follows: false)
    var problem: String?
    _ = try stage.viewed { _, reading in
      problem = reading.problem
      return reading.isComplete
    }
    #expect(problem?.contains(".missing") == true)
    #expect(stage.worker.errors.count == 1)
  }
}
