import TestSupport
import Testing
import ViewerTestSupport

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Lanes that tasks wait for")
struct AwaitedLanesTests {
  private static let ms = 1_000_000

  private func awaited(_ lines: [String]) throws -> (LogAnalysis, AwaitedLanes) {
    let log = try LogAnalysis.read(
      LogSource(name: "test.jsonl", bytes: Array(SampleLog.make(lines).utf8)))
    return (log, AwaitedLanes(log, WaitGraph(log)))
  }

  private func index(_ id: UInt64, _ log: LogAnalysis) throws -> Int {
    try #require(SubscriptionID(id).flatMap { log.index(of: $0) })
  }

  private func observed(_ id: Int, _ lane: String, at time: Int, _ more: String = "") -> String {
    SampleLog.subscribe(
      id, lane, at: time * Self.ms, #","observed":"Shop/Shop.swift:12"\#(more)"#)
  }

  private let task = [
    TaskLogs.begin(1, "reader", at: 10, line: 5),
    TaskLogs.suspended(1, "reader", at: 100, "continuation", line: 12),
  ]

  @Test("A task waits for the lane that its loop observes")
  func loop() throws {
    let (log, awaited) = try awaited(task + [observed(2, "orders", at: 50)])
    let (task, lane) = (try index(1, log), try index(2, log))
    #expect(awaited.subscriptions(of: task) == [lane])
    #expect(awaited.tasks(of: lane) == [task])
    #expect(awaited.tasks(of: task).isEmpty)
  }

  @Test("Of lanes in a row, the task waits for the one next to the loop")
  func chain() throws {
    let (log, awaited) = try awaited(
      task + [observed(2, "shown", at: 50), observed(3, "raw", at: 50, #","parent":2"#)])
    #expect(awaited.subscriptions(of: try index(1, log)) == [try index(2, log)])
  }

  @Test("Without proof, no lane is linked")
  func unknown() throws {
    let others = [
      // Two lanes at one loop.
      task + [observed(2, "orders", at: 50), observed(3, "prices", at: 60)],
      // The subscription ended, or began after the wait.
      task + [
        observed(2, "orders", at: 50), SampleLog.end("disposed", 2, "orders", at: 70 * Self.ms),
      ],
      task + [observed(2, "orders", at: 150)],
      // Another place.
      task + [
        SampleLog.subscribe(2, "orders", at: 50 * Self.ms, #","observed":"Shop/Shop.swift:13""#)
      ],
      // The task waits for something else, or runs.
      [
        task[0], TaskLogs.suspended(1, "reader", at: 100, "executor", line: 12),
        observed(2, "orders", at: 50),
      ],
      task + [observed(2, "orders", at: 50), TaskLogs.resumed(1, "reader", at: 200)],
    ]
    for lines in others {
      let (log, awaited) = try awaited(lines)
      #expect(awaited.subscriptions(of: try index(1, log)).isEmpty, "\(lines)")
      #expect(awaited.tasks(of: try index(2, log)).isEmpty, "\(lines)")
    }
  }

  @Test("Equal tasks wait for one of the subscriptions of their lane")
  func several() throws {
    let (log, awaited) = try awaited(
      (1...2).flatMap { id in
        [
          TaskLogs.begin(id, "reader", at: 10, line: 5),
          TaskLogs.suspended(id, "reader", at: 100, "continuation", line: 12),
          observed(id + 10, "orders", at: 50),
        ]
      })
    let lanes = [try index(11, log), try index(12, log)]
    #expect(awaited.subscriptions(of: try index(1, log)) == lanes)
    #expect(awaited.tasks(of: lanes[1]) == [try index(1, log), try index(2, log)])
  }
}
