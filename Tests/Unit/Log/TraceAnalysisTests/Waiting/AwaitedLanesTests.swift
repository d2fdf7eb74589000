import TestSupport
import Testing

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

  private static func begin(_ id: Int) -> String {
    #"{"t":10000000,"event":"subscribe","sub":\#(id),"lane":"reader","thread":1,"op":"task","#
      + #""source":"Shop/Shop.swift:5","task":\#(id + 10)}"#
  }

  private static func suspended(_ id: Int, _ wait: String = "continuation") -> String {
    #"{"t":100000000,"event":"suspended","sub":\#(id),"lane":"reader","#
      + #""source":"Shop/Shop.swift:12","function":"run()","wait":"\#(wait)"}"#
  }

  private let task = [Self.begin(1), Self.suspended(1)]

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
        task[0], Self.suspended(1, "executor"),
        observed(2, "orders", at: 50),
      ],
      task + [
        observed(2, "orders", at: 50),
        #"{"t":200000000,"event":"resumed","sub":1,"lane":"reader"}"#,
      ],
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
          Self.begin(id),
          Self.suspended(id),
          observed(id + 10, "orders", at: 50),
        ]
      })
    let lanes = [try index(11, log), try index(12, log)]
    #expect(awaited.subscriptions(of: try index(1, log)) == lanes)
    #expect(awaited.tasks(of: lanes[1]) == [try index(1, log), try index(2, log)])
  }
}
